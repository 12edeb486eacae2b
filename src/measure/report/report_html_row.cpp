// One row of the report: its table, its pairs in words, its pictures and who its arms were.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "measure/plot/svg_text.h"
#include "measure/report/quantity.h"
#include "measure/report/report_html_parts.h"

namespace sprue::page {
namespace {

constexpr size_t kShownDigest = 12;

const ArmIdentity& identity(const BenchRow& row, size_t arm) {
  static const ArmIdentity kUnknownIdentity;
  return arm < row.arms.size() ? row.arms[arm] : kUnknownIdentity;
}

std::string or_dash(const std::string& text) { return text.empty() ? kNotMeasured : text; }

// One unit and one number of decimals for all times of a row, so that they compare at sight; each its own
// where they are too far apart for that.
class TimeFormat {
 public:
  explicit TimeFormat(const BenchRow& row) {
    double fastest = 0, slowest = 0;
    for (const ArmTimes& times : row.times) {
      const double median = times.summary.median;
      if (!std::isfinite(median) || median <= 0) continue;
      if (fastest == 0 || median < fastest) fastest = median;
      slowest = std::max(slowest, median);
    }
    constexpr double kTooFarApart = 1000;
    if (fastest < 1e-10 || fastest >= 1e6 || slowest / fastest > kTooFarApart) return;
    unit_ = time_unit(fastest);
    const double digits = std::floor(std::log10(fastest / unit_->seconds) + 1e-4);
    decimals_ = std::max(3 - static_cast<int>(digits), 0);
  }
  std::string heading() const { return unit_ ? fmt::format(", {}", unit_->name) : ""; }
  std::string operator()(double seconds) const {
    return unit_ ? format_decimals(seconds / unit_->seconds, decimals_) : format_seconds(seconds);
  }

 private:
  std::optional<TimeUnit> unit_;
  int decimals_ = 0;
};

// The digest, and which earlier arm has the same.
Markup digest_cell(const BenchRow& row, size_t arm) {
  const std::string& digest = identity(row, arm).digest;
  if (digest.empty()) return kNotMeasured;
  std::string html = "<code>" + escape_markup(digest.substr(0, kShownDigest)) + "</code>";
  for (size_t earlier = 0; earlier < arm; ++earlier) {
    if (identity(row, earlier).digest != digest) continue;
    return Markup::raw(html + " same as " + escape_markup(arm_name(row, earlier)));
  }
  return Markup::raw(html);
}

std::string times_table(const BenchRow& row) {
  const TimeFormat format(row);
  std::vector<std::string> columns = {"arm", "median" + format.heading() + "#",
                                      "quartiles" + format.heading() + "#"};
  if (row.bytes) columns.insert(columns.end(), {"GB/s#", "of the roof#"});
  if (row.ops) columns.push_back("Gop/s#");
  columns.insert(columns.end(), {"target", "compiler", "optimization", "digest"});
  Table table("Times of " + row_title(row), columns);
  for (size_t arm = 0; arm < row.times.size(); ++arm) {
    const Summary& summary = row.times[arm].summary;
    const ArmIdentity& who = identity(row, arm);
    const std::string name = escape_markup(arm_name(row, arm));
    std::vector<Markup> cells = {
        Markup::raw(is_unbeaten(row, arm) ? fmt::format("{} {}", name, kUnbeaten) : name),
        Markup::raw("<b>" + format(summary.median) + "</b>"),
        std::isfinite(summary.lower_quartile)
            ? fmt::format("{} to {}", format(summary.lower_quartile),
                          format(summary.upper_quartile))
            : kNotMeasured};
    if (row.bytes) {
      const double rate = *row.bytes / summary.median;
      cells.push_back(format_digits(rate / 1e9, 3));
      cells.push_back(row.bound.bandwidth > 0 ? format_percent(rate / row.bound.bandwidth)
                                              : kNotMeasured);
    }
    if (row.ops) cells.push_back(format_digits(*row.ops / summary.median / 1e9, 3));
    for (const std::string* text : {&who.target, &who.compiler, &who.optimization}) {
      cells.push_back(or_dash(*text));
    }
    cells.push_back(digest_cell(row, arm));
    table.line(cells);
  }
  std::string note = "Times are measured";
  if (row.bytes) note += "; the share of the roof is inferred from the declared bytes";
  if (!unbeaten_arms(row).empty())
    note += fmt::format(". {} No other arm is shown to be faster", kUnbeaten);
  return table.html() + "<p class=\"note\">" + note + ".</p>\n";
}

std::string conditions(const BenchRow& row) {
  std::vector<std::string> parts;
  if (row.trials > 0)
    parts.push_back(fmt::format("{} {}", row.trials, row.trials == 1 ? "trial" : "trials"));
  if (row.operations > 0) {
    parts.push_back(fmt::format("{} {} a trial", row.operations,
                                row.operations == 1 ? "operation" : "operations"));
  }
  if (row.input_copies > 0) {
    parts.push_back(
        fmt::format("{} {} of inputs", row.input_copies, row.input_copies == 1 ? "set" : "sets"));
  }
  if (row.working_set_bytes > 0) {
    parts.push_back("working set " + format_capacity(static_cast<double>(row.working_set_bytes)));
  }
  if (row.bytes) parts.push_back(format_bytes(*row.bytes) + " declared an operation");
  if (row.ops) parts.push_back(fmt::format("{} operations declared", format_digits(*row.ops, 4)));
  return parts.empty() ? ""
                       : fmt::format("<p class=\"note\">{}</p>\n",
                                     escape_markup(fmt::format("{}", fmt::join(parts, " · "))));
}

// The fastest arm's time as a multiple of the roof's.
std::string distance_from(const BenchRow& row) {
  size_t fastest = row.times.size();
  for (size_t arm = 0; arm < row.times.size(); ++arm) {
    const double median = row.times[arm].summary.median;
    if (!std::isfinite(median)) continue;
    if (fastest == row.times.size() || median < row.times[fastest].summary.median) fastest = arm;
  }
  if (fastest == row.times.size() || !(row.bound.seconds > 0)) return "";
  const double median = row.times[fastest].summary.median;
  return fmt::format("; the smallest median, {} of {}, is {} times that", format_seconds(median),
                     arm_name(row, fastest), format_digits(median / row.bound.seconds, 3));
}

std::string bound(const BenchReport& report, const BenchRow& row) {
  const RowBound& roof = row.bound;
  std::string text;
  if (roof.by.empty()) {
    text = row.bytes || row.ops ? "no roof was measured."
                                : "neither bytes nor operations are declared.";
    return "<p>What binds this row isn't inferred: " + text + "</p>\n";
  }
  if (roof.by == "bandwidth") {
    text = fmt::format("moving {} at {}{} takes {}",
                       row.bytes ? format_bytes(*row.bytes) : "the declared bytes",
                       format_bandwidth(roof.bandwidth),
                       roof.memory.empty() ? "" : ", the measured roof of " + roof.memory + ",",
                       format_seconds(roof.seconds));
  } else if (roof.by == "arithmetic") {
    text = fmt::format(
        "{} operations{} take {}", row.ops ? format_digits(*row.ops, 4) : "the declared",
        report.roofline ? " at the measured " + format_operations(report.roofline->operations) : "",
        format_seconds(roof.seconds));
  } else if (roof.by == "launch") {
    text = fmt::format("a call that does nothing takes {}, more than the declared work would",
                       format_seconds(roof.seconds));
  } else {
    text = "under that roof alone it takes " + format_seconds(roof.seconds);
  }
  return fmt::format("<p>Bound by <b>{}</b> <span class=\"chip\">inferred</span>: {}{}.</p>\n",
                     escape_markup(roof.by), escape_markup(text),
                     escape_markup(distance_from(row)));
}

std::string pairs(const BenchRow& row) {
  std::vector<Markup> items;
  for (const PairResult& pair : row.pairs) {
    const std::string sentence =
        pair.sentence.empty()
            ? fmt::format("{} against {}: ratio {}", arm_name(row, pair.arm),
                          arm_name(row, pair.reference), format_ratio(pair.ratio()))
            : pair.sentence;
    std::string html = fmt::format("<span class=\"badge {0}\">{0}</span><span>{1}",
                                   verdict_name(pair.verdict), escape_markup(sentence));
    if (is_same_binary(row, pair)) html += " <span class=\"chip\">same binary (A/A control)</span>";
    items.push_back(Markup::raw(html + "</span>"));
  }
  return list(items, "pairs");
}

std::string parity(const BenchRow& row) {
  std::vector<Markup> items;
  for (const ArmParity& one : row.parity) {
    std::string text = fmt::format("Outputs of {} against {}: ", one.arm, one.reference);
    if (one.identical) {
      text += "identical bit for bit";
    } else {
      text += std::isnan(one.deviation) ? "deviation isn't a number, "
                                        : fmt::format("deviation {} of the largest value, ",
                                                      format_digits(one.deviation, 3));
      text += one.bar > 0 ? "allowed " + format_digits(one.bar, 3) : "must be identical";
    }
    if (one.holds()) {
      items.emplace_back(text);
    } else {
      items.push_back(
          Markup::raw("<strong>" + escape_markup(text + "; doesn't hold") + "</strong>" +
                      (one.mismatch.empty() ? "" : ": " + escape_markup(one.mismatch))));
    }
  }
  for (const std::string& arm : row.left_out) items.emplace_back("Left out: " + arm);
  return list(items, "checks");
}

std::string identities(const BenchRow& row) {
  Table table("Identity of the arms of " + row_title(row),
              {"arm", "route", "form", "code#", "frame#", "smallest#", "largest#", "source",
               "options", "digest"});
  const auto size = [](int64_t bytes) {
    return bytes > 0 ? fmt::format("{} B", bytes) : kNotMeasured;
  };
  for (size_t arm = 0; arm < std::max(row.times.size(), row.arms.size()); ++arm) {
    const ArmIdentity& who = identity(row, arm);
    const Summary summary = arm < row.times.size() ? row.times[arm].summary : kUnknownSummary;
    table.line({arm_name(row, arm), or_dash(who.route), or_dash(who.form), size(who.code_bytes),
                size(who.frame_bytes), format_seconds(summary.minimum),
                format_seconds(summary.maximum), or_dash(who.source), or_dash(who.options),
                or_dash(who.digest)});
  }
  std::string html = table.html();
  std::vector<Markup> inputs;
  for (const auto& [name, digest] : row.input_digests) {
    inputs.push_back(Markup::raw(
        fmt::format("Input {}: <code>{}</code>", escape_markup(name), escape_markup(digest))));
  }
  html += list(inputs, "checks");
  return "<details><summary>Identity of arms and inputs</summary>" + html + "</details>\n";
}

}  // namespace

std::string row_section(const BenchReport& report, size_t index) {
  const BenchRow& row = report.rows[index];
  std::string html = conditions(row);
  if (!row.flags.empty()) {
    html += "<div class=\"notice warning\">" + list({row.flags.begin(), row.flags.end()}, "plain") +
            "</div>\n";
  }
  if (row.times.empty()) {
    html += "<p>No arm was measured.</p>\n";
  } else {
    html += times_table(row) + bound(report, row) + pairs(row);
    html += "<div class=\"figures\">" + distribution_figure(report, row) + ratio_figure(row) +
            "</div>\n";
  }
  html += parity(row);
  return row.times.empty() && row.arms.empty() ? html : html + identities(row);
}

}  // namespace sprue::page
