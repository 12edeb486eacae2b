// How to read the page, and what it was measured on.
#include <fmt/format.h>

#include "measure/plot/svg_text.h"
#include "measure/report/quantity.h"
#include "measure/report/report_html_parts.h"

namespace sprue::page {
namespace {

// Deeper than any stack that this program writes.
constexpr int kMostDepth = 8;

void add_lines(Table& table, const std::string& path, const nlohmann::ordered_json& value,
               int depth) {
  if (value.is_structured() && !value.empty() && depth > 0) {
    size_t position = 0;
    for (const auto& [key, item] : value.items()) {
      const std::string name = value.is_array() ? std::to_string(++position) : key;
      add_lines(table, path.empty() ? name : path + " › " + name, item, depth - 1);
    }
    return;
  }
  // Bytes that aren't UTF-8 are replaced: dump() would throw.
  table.line(
      {path, value.is_string()
                 ? value.get_ref<const std::string&>()
                 : value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)});
}

std::string stack_table(const nlohmann::ordered_json& stack) {
  if (stack.empty()) return "";
  Table table("Machine and software", {"what", "value"});
  add_lines(table, "", stack, kMostDepth);
  return "<h3>Machine and software</h3>" + table.html();
}

std::string noise_table(const Noise& noise) {
  Table table("Noise", {"what", "value"});
  table.line({"load average before and after",
              fmt::format("{} and {}", format_digits(noise.load_before, 3),
                          format_digits(noise.load_after, 3))});
  table.line({"time taken by a hypervisor", format_percent(noise.stolen)});
  const auto clock = [](double hertz) {
    return hertz > 0 ? fmt::format("{} GHz", format_digits(hertz / 1e9, 3))
                     : std::string("unknown");
  };
  table.line({"clock, slowest and fastest seen",
              clock(noise.slowest_clock) + " and " + clock(noise.fastest_clock)});
  table.line({"thermal throttling events", std::to_string(noise.throttled)});
  table.line({"involuntary context switches", std::to_string(noise.preempted)});
  table.line({"spread of a fixed loop, interquartile range over median",
              format_percent(noise.control_spread)});
  return "<h3>Noise</h3>" + table.html();
}

std::string roof_table(const Roofline& roofline) {
  Table table("Roofs", {"roof", "measured#", "capacity#"});
  for (const Roofline::Level& level : roofline.levels) {
    table.line(
        {level.name, format_bandwidth(level.bandwidth),
         level.capacity > 0 ? format_capacity(static_cast<double>(level.capacity)) : kNotMeasured});
  }
  table.line({"arithmetic, float32", format_operations(roofline.operations), kNotMeasured});
  table.line({"launch of a kernel that does nothing", format_seconds(roofline.launch_seconds),
              kNotMeasured});
  return "<h3>Roofs</h3>" + table.html();
}

}  // namespace

std::string how_to_read() {
  return "<details class=\"guide\"><summary>How to read this page</summary><p>"
         "Times are measured: of one operation, as the median of the trials with the quartiles "
         "beside it. "
         "A ratio is the first arm's time over the second's, trial by trial, so below 1 the first "
         "is faster. "
         "The verdict follows from the interval of the median ratio alone: faster if it lies "
         "wholly below "
         "0.99, slower if wholly above 1.01, same if wholly between, else unresolved. "
         "Arms of one digest are the same binary, so what a pair of them (A/A control) differs by "
         "is the "
         "error of the measurement. "
         "What binds a row, and shares of a roof, are inferred from declared bytes and operations "
         "and the "
         "roofs that the same run measured.</p></details>\n";
}

std::string measurement_details(const BenchReport& report) {
  std::string html = stack_table(report.stack);
  if (report.noise) html += noise_table(*report.noise);
  if (report.roofline) html += roof_table(*report.roofline);
  if (html.empty()) return "";
  return "<details class=\"machine\"><summary>Machine, noise and roofs in numbers</summary>" +
         html + "</details>\n";
}

}  // namespace sprue::page
