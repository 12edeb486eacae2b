#include "measure/claims.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "measure/row_pairs.h"

namespace sprue {
namespace {

// A claim of one digit ("0.9") still means about 0.9.
constexpr double kMostRounding = 0.005;

// What a row says of a claim's pair.
struct Evidence {
  std::string call;
  double ratio;
  Interval possible;  // ratios that agree with the row
  std::string kind;   // of the ratio
};

std::optional<Evidence> evidence_in(const BenchRow& row, const Claim& claim, double rounding) {
  const auto pair = pair_between(row, claim.arm, claim.reference);
  if (!pair) return std::nullopt;
  if (pair->ratios.size() >= kFewestForInterval)
    return Evidence{row.call, pair->ratio(), pair->interval,
                    fmt::format("ratio {:.3f}, interval {:.3f} to {:.3f}", pair->ratio(),
                                pair->interval.low, pair->interval.high)};
  const double arm = times_of(row, claim.arm)->summary.median;
  const double reference = times_of(row, claim.reference)->summary.median;
  return Evidence{
      row.call,
      pair->ratio_of_medians,
      {(arm - rounding) / (reference + rounding), (arm + rounding) / (reference - rounding)},
      fmt::format("ratio of medians {:.3f}", pair->ratio_of_medians)};
}

bool is_opposite(double claimed, double measured) {
  return (claimed < 1 && measured >= 1) || (claimed > 1 && measured <= 1);
}

bool agrees(double claimed, const Interval& possible, double rounding) {
  return claimed >= possible.low - rounding && claimed <= possible.high + rounding;
}

std::string claim_text(const Claim& claim) {
  const std::string what = claim.ratio == 1
                               ? fmt::format("{} takes as long as {}", claim.arm, claim.reference)
                               : difference_text(claim.arm, claim.reference, claim.ratio);
  return fmt::format("claimed: {} ({}, ratio {:.3f})", what,
                     claim.call.empty() ? "everywhere" : claim.call, claim.ratio);
}

std::string evidence_text(const Claim& claim, const Evidence& row) {
  return fmt::format("{} ({})", difference_text(claim.arm, claim.reference, row.ratio), row.kind);
}

// The claim about one row; empty if nothing speaks against it.
std::string check_row(const Claim& claim, const Evidence& row, double rounding) {
  if (agrees(claim.ratio, row.possible, rounding)) return "";
  return fmt::format("{}; {}: {}", claim_text(claim),
                     is_opposite(claim.ratio, row.ratio) ? "contradicts its own row"
                                                         : "doesn't follow from its row",
                     evidence_text(claim, row));
}

// The claim about all rows.
std::string check_rows(const Claim& claim, const std::vector<Evidence>& rows, double rounding) {
  std::vector<std::string> against;
  Interval range = rows.front().possible, shown = {rows.front().ratio, rows.front().ratio};
  for (const Evidence& row : rows) {
    if (is_opposite(claim.ratio, row.ratio) && !agrees(claim.ratio, row.possible, rounding))
      against.push_back(row.call + ": " + evidence_text(claim, row));
    range = {std::min(range.low, row.possible.low), std::max(range.high, row.possible.high)};
    shown = {std::min(shown.low, row.ratio), std::max(shown.high, row.ratio)};
  }
  if (!against.empty())
    return fmt::format("{}; contradicted in {} of {} rows: {}", claim_text(claim), against.size(),
                       rows.size(), fmt::join(against, "; "));
  if (agrees(claim.ratio, range, rounding)) return "";
  return fmt::format("{}; doesn't follow from the rows: ratios {:.3f} to {:.3f}", claim_text(claim),
                     shown.low, shown.high);
}

}  // namespace

double rounding_of(const std::vector<double>& values) {
  constexpr int kDigits = 12;
  int decimals = std::numeric_limits<int>::min();
  for (const double value : values) {
    if (!std::isfinite(value) || value == 0) continue;
    const std::string text = fmt::format("{:.{}e}", std::abs(value), kDigits - 1);  // d.ddde-dd
    const size_t exponent_begin = text.find('e');
    const size_t last = text.find_last_not_of('0', exponent_begin - 1);  // never past the point
    const int digits = last == 1 ? 1 : static_cast<int>(last);
    if (digits == kDigits) return 0;
    decimals = std::max(decimals, digits - 1 - std::stoi(text.substr(exponent_begin + 1)));
  }
  return decimals == std::numeric_limits<int>::min() ? 0 : 0.5 * std::pow(10.0, -decimals);
}

std::vector<std::string> find_false_claims(const std::vector<BenchRow>& rows,
                                           const std::vector<Claim>& claims) {
  std::vector<double> medians, ratios;
  for (const BenchRow& row : rows)
    for (const ArmTimes& times : row.times) medians.push_back(times.summary.median);
  for (const Claim& claim : claims) ratios.push_back(claim.ratio);
  const double of_medians = rounding_of(medians);
  const double of_claims = std::min(rounding_of(ratios), kMostRounding);

  std::vector<std::string> flags;
  for (const Claim& claim : claims) {
    std::vector<Evidence> evidence;
    for (const BenchRow& row : rows)
      if (claim.call.empty() || row.call == claim.call)
        if (auto found = evidence_in(row, claim, of_medians)) evidence.push_back(std::move(*found));
    const std::string flag = evidence.empty() ? claim_text(claim) + "; no row has these two arms"
                             : claim.call.empty() ? check_rows(claim, evidence, of_claims)
                                                  : check_row(claim, evidence.front(), of_claims);
    if (!flag.empty()) flags.push_back(flag);
  }
  return flags;
}

}  // namespace sprue
