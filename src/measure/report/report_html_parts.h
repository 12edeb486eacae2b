// The parts that report_html puts together. Not for others: each returns HTML for that page alone, empty
// where the report holds nothing for it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "measure/report.h"

namespace sprue::page {

std::string stylesheet();

// report_html_summary.cpp
std::string warnings(const BenchReport& report);
std::string summary(const BenchReport& report);
std::string claims(const BenchReport& report);
std::string runs(const BenchReport& report);

// report_html_plots.cpp
std::string distribution_figure(const BenchReport& report, const BenchRow& row);
std::string ratio_figure(const BenchRow& row);
std::string report_figures(const BenchReport& report);  // sweeps and the roofline

// report_html_row.cpp
std::string row_section(const BenchReport& report, size_t row);

// report_html_details.cpp
std::string how_to_read();
std::string measurement_details(const BenchReport& report);

// --- what several parts need: report_html_parts.cpp ---

// A cell or a line: text is escaped, markup isn't.
struct Markup {
  std::string html;
  Markup(std::string_view text);
  Markup(const std::string& text) : Markup(std::string_view(text)) {}
  Markup(const char* text) : Markup(std::string_view(text)) {}
  static Markup raw(std::string html);
};

// The first column names its line. Columns whose heading ends in '#' (not shown) hold numbers.
class Table {
 public:
  Table(std::string_view caption, std::vector<std::string> columns);
  void line(const std::vector<Markup>& cells);
  std::string html() const;  // in a box of its own that scrolls

 private:
  std::string label_;
  std::vector<bool> is_number_;
  std::string html_;
};

std::string list(const std::vector<Markup>& items, std::string_view classes);
std::string figure(std::string_view heading, std::string_view explanation, const std::string& svg);
std::string link_to_row(const BenchReport& report, size_t row);

std::string row_title(const BenchRow& row);  // "default, M = 4096"
std::string row_id(size_t row);              // "row-1"
std::string arm_name(const BenchRow& row, size_t arm);
bool is_same_binary(const BenchRow& row, const PairResult& pair);  // for any positions
// The arms of the whole report in the order of their appearance: a position is a plot's series.
std::vector<std::string> arm_names(const BenchReport& report);
size_t series_of(const std::vector<std::string>& names, const std::string& name);
// Arms with right outputs than which no other such arm is shown to be faster in this row; empty where
// nothing was paired.
std::vector<size_t> unbeaten_arms(const BenchRow& row);
bool is_unbeaten(const BenchRow& row, size_t arm);
// Does some comparison of outputs say that this arm's don't hold?
bool has_wrong_outputs(const BenchRow& row, const std::string& arm);

inline constexpr const char* kUnbeaten = "●";

}  // namespace sprue::page
