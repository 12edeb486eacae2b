#include "measure/report/report_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "measure/report/quantity.h"

namespace sprue {

namespace {

using Cells = std::vector<std::string>;

// Characters on a terminal: continuation bytes of UTF-8 take no place.
size_t width(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

// The first and last column to the left, numbers between them to the right.
std::string table(const std::vector<Cells>& rows) {
  std::vector<size_t> widths(rows.front().size());
  for (const Cells& row : rows)
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  std::string text;
  for (const Cells& row : rows) {
    std::string line = " ";
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string space(widths[i] - width(row[i]), ' ');
      const bool left = i == 0 || i + 1 == row.size();
      line += " " + (left ? row[i] + space : space + row[i]) + " ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string binary_text(const ArmIdentity& arm) {
  std::string text = arm.target;
  if (!arm.form.empty()) text += " " + arm.form;
  if (!arm.digest.empty()) text += " " + arm.digest.substr(0, 12);
  return text.empty() ? kNotMeasured : text;
}

std::string arm_table(const BenchRow& row) {
  std::vector<Cells> rows = {{"arm", "median", "quartiles"}};
  if (row.bytes) rows[0].insert(rows[0].end(), {"rate", "of the roof"});
  if (row.ops) rows[0].push_back("operations");
  rows[0].push_back("binary");
  for (size_t i = 0; i < row.arms.size(); ++i) {
    const Summary& time = row.times[i].summary;
    Cells cells = {row.arms[i].name, format_seconds(time.median),
                   fmt::format("{} – {}", format_seconds(time.lower_quartile),
                               format_seconds(time.upper_quartile))};
    if (row.bytes) {
      const double rate = *row.bytes / time.median;
      cells.push_back(format_bandwidth(rate));
      cells.push_back(row.bound.bandwidth > 0 ? format_percent(rate / row.bound.bandwidth)
                                              : kNotMeasured);
    }
    if (row.ops) cells.push_back(format_operations(*row.ops / time.median));
    cells.push_back(binary_text(row.arms[i]));
    rows.push_back(std::move(cells));
  }
  return table(rows);
}

std::string parity_text(const ArmParity& parity) {
  if (parity.identical)
    return fmt::format("  outputs: {} and {} are identical\n", parity.arm, parity.reference);
  std::string text = fmt::format(
      "  outputs: {} against {}: largest deviation {:.2g} ({})\n", parity.arm, parity.reference,
      parity.deviation,
      parity.bar == 0 ? std::string("must be identical") : fmt::format("bar {:.2g}", parity.bar));
  if (!parity.holds()) text += fmt::format("  OUTPUTS DIFFER: {}\n", parity.mismatch);
  return text;
}

std::string place_text(const BenchReport& report, const BenchRow& row) {
  if (row.input_copies == 0) return "";
  std::string text =
      fmt::format("{} {} of inputs, {}", row.input_copies, row.input_copies == 1 ? "set" : "sets",
                  format_bytes(static_cast<double>(row.working_set_bytes)));
  if (row.bound.memory == "memory" && report.roofline && report.roofline->levels.size() > 1) {
    const Roofline::Level& last = report.roofline->levels[report.roofline->levels.size() - 2];
    text += fmt::format(": beyond {} ({})", last.name,
                        format_capacity(static_cast<double>(last.capacity)));
  } else if (!row.bound.memory.empty() && row.bound.memory != "memory") {
    text += fmt::format(": fits {}", row.bound.memory);
  }
  return text;
}

std::string bound_text(const BenchRow& row) {
  const RowBound& bound = row.bound;
  if (bound.by == "bandwidth")
    return fmt::format("  bound by (inferred): bandwidth: {} at {} ({}, measured) take {}\n",
                       format_bytes(*row.bytes), format_bandwidth(bound.bandwidth), bound.memory,
                       format_seconds(bound.seconds));
  if (bound.by == "arithmetic")
    return fmt::format(
        "  bound by (inferred): arithmetic: {:.3g} operations at the measured peak take {}\n",
        *row.ops, format_seconds(bound.seconds));
  if (bound.by == "launch")
    return fmt::format("  bound by (inferred): launch: a call that does nothing takes {}\n",
                       format_seconds(bound.seconds));
  return "";
}

}  // namespace

std::string report_head_text(const BenchReport& report) {
  std::string text = fmt::format("{}{}\n", report.kernel.empty() ? "a kernel" : report.kernel,
                                 report.device.empty() ? "" : " on " + report.device);
  if (report.noise && !report.noise->flags.empty()) {
    text += "NOISY MACHINE: differences of a few per cent may be the machine's\n";
    for (const std::string& flag : report.noise->flags) text += fmt::format("  {}\n", flag);
  }
  if (report.roofline) {
    text += "ceilings, measured:";
    for (const Roofline::Level& level : report.roofline->levels)
      text += fmt::format(" {} {},", level.name, format_bandwidth(level.bandwidth));
    text += fmt::format(" {}", format_operations(report.roofline->operations));
    if (report.roofline->launch_seconds > 0)
      text += fmt::format(", a launch {}", format_seconds(report.roofline->launch_seconds));
    text += "\n";
  }
  return text;
}

std::string report_row_text(const BenchReport& report, const BenchRow& row) {
  std::string text = fmt::format("\n[{}]", row.call);
  for (const auto& [name, value] : row.sizes)
    if (row.call.find(fmt::format("{}={}", name, value)) == row.call.npos)
      text += fmt::format(" {}={}", name, value);
  if (row.trials > 0)
    text += fmt::format(": {} trials of {} {}", row.trials, row.operations,
                        row.operations == 1 ? "operation" : "operations");
  if (const std::string place = place_text(report, row); !place.empty()) text += "; " + place;
  text += "\n" + arm_table(row);
  for (const ArmParity& parity : row.parity) text += parity_text(parity);
  for (const PairResult& pair : row.pairs)
    text += fmt::format("  {}{}\n", pair.sentence,
                        row.same_binary(pair) ? "; same binary (A/A control)" : "");
  text += bound_text(row);
  for (const std::string& arm : row.left_out) text += fmt::format("  left out: {}\n", arm);
  for (const std::string& flag : row.flags) text += fmt::format("  FLAG: {}\n", flag);
  return text;
}

std::string report_end_text(const BenchReport& report) {
  std::string text;
  if (!report.runs.empty()) {
    text += "\nruns, each in a fresh process\n";
    std::vector<Cells> rows = {{"row", "arm", "medians", "spread"}};
    for (const BenchReport::RunMedians& run : report.runs) {
      std::string medians;
      for (const double seconds : run.medians)
        medians += (medians.empty() ? "" : ", ") + format_seconds(seconds);
      rows.push_back({run.call, run.arm, medians, format_percent(run.spread)});
    }
    text += table(rows);
  }
  if (!report.conclusions.empty()) text += "\nover all rows\n";
  for (const PairConclusion& one : report.conclusions) text += fmt::format("  {}\n", one.sentence);
  if (!report.flags.empty()) text += "\nto be doubted\n";
  for (const std::string& flag : report.flags) text += fmt::format("  {}\n", flag);
  return text;
}

std::string report_text(const BenchReport& report) {
  std::string text = report_head_text(report);
  for (const BenchRow& row : report.rows) text += report_row_text(report, row);
  return text + report_end_text(report);
}

}  // namespace sprue
