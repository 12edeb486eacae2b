// What stands at the top of the page: why to doubt the figures, and what they say.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "measure/plot/svg_text.h"
#include "measure/report/quantity.h"
#include "measure/report/report_html_parts.h"

namespace sprue::page {
namespace {

std::string notice(std::string_view kind, std::string_view heading,
                   const std::vector<Markup>& items) {
  if (items.empty()) return "";
  return fmt::format(R"(<section class="notice {}"><h2>{}</h2>{}</section>)"
                     "\n",
                     kind, heading, list(items, "plain"));
}

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  }
  return text;
}

// One row: which arms nothing beats.
std::string headline(const BenchRow& row) {
  const std::vector<size_t> arms = unbeaten_arms(row);
  if (arms.empty()) return "";
  std::vector<std::string> names;
  for (size_t arm : arms) {
    names.push_back(fmt::format("<b>{}</b> ({})", escape_markup(arm_name(row, arm)),
                                escape_markup(format_seconds(row.times[arm].summary.median))));
  }
  if (arms.size() == row.times.size()) {
    return "No arm is shown to be faster than another: " + join(names) + ".";
  }
  if (arms.size() > 1) return "No arm is shown to be faster than " + join(names) + ".";
  const auto beats = [&](const PairResult& pair) {
    return (pair.arm == arms[0] && pair.verdict == Verdict::faster) ||
           (pair.reference == arms[0] && pair.verdict == Verdict::slower);
  };
  const auto wins = std::count_if(row.pairs.begin(), row.pairs.end(), beats);
  if (static_cast<size_t>(wins) + 1 == row.times.size()) {
    return names[0] + " is faster than every other arm.";
  }
  return "No arm is shown to be faster than " + names[0] + ".";
}

// Several rows: in how many of them nothing beats each arm.
std::string headline_of_rows(const BenchReport& report) {
  struct Standing {
    std::string name;
    size_t unbeaten = 0, rows = 0;
  };
  std::vector<Standing> standings;
  for (const std::string& name : arm_names(report)) {
    Standing standing{.name = name};
    for (const BenchRow& row : report.rows) {
      if (unbeaten_arms(row).empty()) continue;
      for (size_t arm = 0; arm < row.times.size(); ++arm) {
        if (arm_name(row, arm) != name) continue;
        ++standing.rows;
        standing.unbeaten += is_unbeaten(row, arm);
      }
    }
    if (standing.unbeaten > 0) standings.push_back(standing);
  }
  if (standings.empty()) return "";
  std::stable_sort(standings.begin(), standings.end(),
                   [](const Standing& a, const Standing& b) { return a.unbeaten > b.unbeaten; });
  std::vector<std::string> parts;
  for (const Standing& standing : standings) {
    parts.push_back(fmt::format("<b>{}</b> ({} of {} rows)", escape_markup(standing.name),
                                standing.unbeaten, standing.rows));
  }
  return "No arm is shown to be faster than " + join(parts) + ".";
}

std::string glance(const BenchReport& report) {
  const std::vector<std::string> names = arm_names(report);
  std::vector<std::string> columns = {"row"};
  for (const std::string& name : names) columns.push_back(name + "#");
  const bool has_flags = std::any_of(report.rows.begin(), report.rows.end(),
                                     [](const BenchRow& row) { return !row.flags.empty(); });
  if (has_flags) columns.push_back("flags");
  Table table("All rows at a glance", columns);
  for (size_t i = 0; i < report.rows.size(); ++i) {
    const BenchRow& row = report.rows[i];
    std::vector<Markup> cells = {Markup::raw(link_to_row(report, i))};
    for (const std::string& name : names) {
      std::string cell;
      for (size_t arm = 0; arm < row.times.size(); ++arm) {
        if (arm_name(row, arm) != name) continue;
        cell = escape_markup(format_seconds(row.times[arm].summary.median));
        if (is_unbeaten(row, arm)) cell = fmt::format("<b>{} {}</b>", kUnbeaten, cell);
      }
      if (has_wrong_outputs(row, name)) cell += "<br><strong>outputs differ</strong>";
      cells.push_back(Markup::raw(cell.empty() ? kNotMeasured : cell));
    }
    if (has_flags) cells.push_back(row.flags.empty() ? "" : std::to_string(row.flags.size()));
    table.line(cells);
  }
  return table.html() + fmt::format(
                            "<p class=\"note\">Medians, measured. {} No other arm is shown to "
                            "be faster in this row.</p>\n",
                            kUnbeaten);
}

// What one row says of a claim's pair, in the claim's direction.
struct Evidence {
  size_t row;
  double ratio;
  Interval interval;

  bool has_interval() const { return std::isfinite(interval.low) && std::isfinite(interval.high); }
  bool holds(double claimed) const { return claimed >= interval.low && claimed <= interval.high; }
};

std::vector<Evidence> find_evidence(const BenchReport& report, const Claim& claim) {
  std::vector<Evidence> found;
  for (size_t i = 0; i < report.rows.size(); ++i) {
    const BenchRow& row = report.rows[i];
    if (!claim.call.empty() && claim.call != row.call) continue;
    for (const PairResult& pair : row.pairs) {
      const std::string arm = arm_name(row, pair.arm), reference = arm_name(row, pair.reference);
      if (arm == claim.arm && reference == claim.reference) {
        found.push_back({i, pair.ratio(), pair.interval});
      } else if (arm == claim.reference && reference == claim.arm) {
        found.push_back({i, 1 / pair.ratio(), {1 / pair.interval.high, 1 / pair.interval.low}});
      }
    }
  }
  return found;
}

// One row in full, several by their extremes.
std::vector<Markup> claim_line(const BenchReport& report, const Claim& claim) {
  std::vector<Markup> cells = {fmt::format("{} / {}", claim.arm, claim.reference),
                               format_ratio(claim.ratio)};
  const std::vector<Evidence> found = find_evidence(report, claim);
  if (found.empty()) {
    cells.insert(cells.end(), {claim.call, kNotMeasured, "about a pair that wasn't measured"});
  } else if (found.size() == 1) {
    const Evidence& only = found[0];
    std::string ratio = format_ratio(only.ratio);
    if (only.has_interval()) {
      ratio += fmt::format(" ({} to {})", format_ratio(only.interval.low),
                           format_ratio(only.interval.high));
    }
    cells.insert(cells.end(), {Markup::raw(link_to_row(report, only.row)), ratio,
                               !only.has_interval()      ? "without an interval to judge it by"
                               : only.holds(claim.ratio) ? "inside the interval"
                                                         : "outside the interval"});
  } else {
    const auto by_ratio = [](const Evidence& a, const Evidence& b) { return a.ratio < b.ratio; };
    const auto [low, high] = std::minmax_element(found.begin(), found.end(), by_ratio);
    const auto inside = std::count_if(found.begin(), found.end(),
                                      [&](const Evidence& one) { return one.holds(claim.ratio); });
    cells.insert(cells.end(),
                 {fmt::format("{} rows", found.size()),
                  fmt::format("{} to {}", format_ratio(low->ratio), format_ratio(high->ratio)),
                  fmt::format("inside the interval in {} of {} rows", inside, found.size())});
  }
  return cells;
}

}  // namespace

std::string warnings(const BenchReport& report) {
  std::string html;
  if (report.noise) {
    html += notice("warning", "The machine was noisy: read the figures with care",
                   {report.noise->flags.begin(), report.noise->flags.end()});
  }
  std::vector<Markup> wrong, flags;
  for (const std::string& flag : report.flags) flags.emplace_back(flag);
  for (size_t i = 0; i < report.rows.size(); ++i) {
    const std::string link = link_to_row(report, i);
    for (const ArmParity& parity : report.rows[i].parity) {
      if (parity.holds()) continue;
      wrong.push_back(Markup::raw(fmt::format("{}: {} against {}", link, escape_markup(parity.arm),
                                              escape_markup(parity.reference))));
    }
    for (const std::string& flag : report.rows[i].flags) {
      flags.push_back(Markup::raw(link + ": " + escape_markup(flag)));
    }
  }
  html += notice("wrong", "Outputs differ: a time of a wrong result says nothing", wrong);
  return html + notice("warning", "Before you believe the figures", flags);
}

std::string summary(const BenchReport& report) {
  std::string html = "<section><h2>Summary</h2>";
  if (report.rows.empty()) return html + "<p>Nothing was measured.</p></section>\n";
  const std::string lead =
      report.rows.size() == 1 ? headline(report.rows[0]) : headline_of_rows(report);
  html += lead.empty() ? "<p>No two arms were compared.</p>" : "<p class=\"lead\">" + lead + "</p>";
  std::vector<Markup> sentences;
  for (const PairConclusion& conclusion : report.conclusions) {
    sentences.push_back(
        conclusion.sentence.empty()
            ? Markup(fmt::format(
                  "{} against {}: faster in {}, slower in {}, same in {}, unresolved in {} rows",
                  conclusion.arm, conclusion.reference, conclusion.faster, conclusion.slower,
                  conclusion.same, conclusion.unresolved))
            : Markup(conclusion.sentence));
  }
  html += list(sentences, "conclusions");
  if (report.rows.size() > 1) html += glance(report);
  return html + "</section>\n";
}

std::string claims(const BenchReport& report) {
  if (report.claims.empty()) return "";
  Table table("Claims held against the measurement",
              {"claim", "claimed ratio#", "row", "measured ratio#", "the claim is"});
  for (const Claim& claim : report.claims) table.line(claim_line(report, claim));
  return "<section><h2>What was claimed</h2>" + table.html() + "</section>\n";
}

std::string runs(const BenchReport& report) {
  if (report.runs.empty() && report.run_pairs.empty()) return "";
  std::string html = "<section><h2>Whole runs, each in a fresh process</h2>";
  if (!report.runs.empty()) {
    Table table("Medians of whole runs", {"row", "arm", "spread#", "medians, run by run"});
    for (const BenchReport::RunMedians& run : report.runs) {
      std::vector<std::string> medians;
      for (double median : run.medians) medians.push_back(format_seconds(median));
      table.line({run.call, run.arm, format_percent(run.spread),
                  fmt::format("{}", fmt::join(medians, ", "))});
    }
    html +=
        table.html() +
        "<p class=\"note\">Spread: the largest median less the smallest, over the smallest.</p>\n";
  }
  if (!report.run_pairs.empty()) {
    Table table("Ratios of whole runs", {"row", "pair", "ratios and their intervals, run by run"});
    for (const BenchReport::RunPairs& pair : report.run_pairs) {
      std::vector<std::string> ratios;
      for (size_t i = 0; i < pair.ratios.size(); ++i) {
        ratios.push_back(format_ratio(pair.ratios[i]));
        if (i >= pair.intervals.size()) continue;
        ratios.back() += fmt::format(" ({} to {})", format_ratio(pair.intervals[i].low),
                                     format_ratio(pair.intervals[i].high));
      }
      table.line({pair.call, pair.arm + " / " + pair.reference,
                  fmt::format("{}", fmt::join(ratios, ", "))});
    }
    html += table.html();
  }
  return html + "</section>\n";
}

}  // namespace sprue::page
