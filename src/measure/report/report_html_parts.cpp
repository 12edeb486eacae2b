#include "measure/report/report_html_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "measure/plot/svg_text.h"

namespace sprue::page {

Markup::Markup(std::string_view text) : html(escape_markup(text)) {}

Markup Markup::raw(std::string html) {
  Markup markup("");
  markup.html = std::move(html);
  return markup;
}

Table::Table(std::string_view caption, std::vector<std::string> columns)
    : label_(escape_markup(caption)) {
  html_ = "<thead><tr>";
  for (std::string& column : columns) {
    is_number_.push_back(column.ends_with('#'));
    if (is_number_.back()) column.pop_back();
    html_ += fmt::format(R"(<th scope="col"{}>{}</th>)",
                         is_number_.back() ? R"( class="number")" : "", escape_markup(column));
  }
  html_ += "</tr></thead><tbody>";
}

void Table::line(const std::vector<Markup>& cells) {
  html_ += "<tr>";
  for (size_t i = 0; i < cells.size(); ++i) {
    const bool is_number = i < is_number_.size() && is_number_[i];
    html_ +=
        fmt::format("<{0}{1}>{2}</{3}>", i == 0 ? R"(th scope="row")" : "td",
                    is_number ? R"( class="number")" : "", cells[i].html, i == 0 ? "th" : "td");
  }
  html_ += "</tr>\n";
}

std::string Table::html() const {
  // A box that scrolls must be reachable by keyboard, and then needs a name.
  return fmt::format(
      R"(<div class="scroll" role="region" tabindex="0" aria-label="{}"><table>{}</tbody></table></div>)"
      "\n",
      label_, html_);
}

std::string list(const std::vector<Markup>& items, std::string_view classes) {
  if (items.empty()) return "";
  std::string html = fmt::format(R"(<ul class="{}">)", classes);
  for (const Markup& item : items) html += "<li>" + item.html + "</li>\n";
  return html + "</ul>\n";
}

std::string figure(std::string_view heading, std::string_view explanation, const std::string& svg) {
  if (svg.empty()) return "";
  return fmt::format(
      R"(<figure><figcaption><b>{0}</b> {1}</figcaption><div class="scroll" role="region" tabindex="0" aria-label="{0}">{2}</div></figure>)"
      "\n",
      escape_markup(heading), escape_markup(explanation), svg);
}

std::string link_to_row(const BenchReport& report, size_t row) {
  return fmt::format(R"(<a href="#{}">{}</a>)", row_id(row),
                     escape_markup(row_title(report.rows[row])));
}

std::string row_title(const BenchRow& row) {
  std::string title = row.call.empty() ? "row" : row.call;
  for (const auto& [name, value] : row.sizes) title += fmt::format(", {} = {}", name, value);
  return title;
}

std::string row_id(size_t row) { return fmt::format("row-{}", row + 1); }

std::string arm_name(const BenchRow& row, size_t arm) {
  std::string name;
  if (arm < row.times.size()) name = row.times[arm].name;
  if (name.empty() && arm < row.arms.size()) name = row.arms[arm].name;
  return name.empty() ? fmt::format("arm {}", arm + 1) : name;
}

bool is_same_binary(const BenchRow& row, const PairResult& pair) {
  return pair.arm < row.arms.size() && pair.reference < row.arms.size() && row.same_binary(pair);
}

std::vector<std::string> arm_names(const BenchReport& report) {
  std::vector<std::string> names;
  for (const BenchRow& row : report.rows) {
    for (size_t arm = 0; arm < row.times.size(); ++arm) {
      const std::string name = arm_name(row, arm);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

size_t series_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

std::vector<size_t> unbeaten_arms(const BenchRow& row) {
  std::vector<bool> is_beaten(row.times.size()), is_paired(row.times.size());
  for (const PairResult& pair : row.pairs) {
    if (pair.arm >= row.times.size() || pair.reference >= row.times.size()) continue;
    is_paired[pair.arm] = is_paired[pair.reference] = true;
    if (is_same_binary(row, pair)) continue;  // then it is the measurement that differs
    if (has_wrong_outputs(row, arm_name(row, pair.arm)) ||
        has_wrong_outputs(row, arm_name(row, pair.reference))) {
      continue;  // being fast at something else is no win
    }
    if (pair.verdict == Verdict::faster) is_beaten[pair.reference] = true;
    if (pair.verdict == Verdict::slower) is_beaten[pair.arm] = true;
  }
  std::vector<size_t> arms;
  for (size_t arm = 0; arm < row.times.size(); ++arm) {
    if (is_paired[arm] && !is_beaten[arm] && std::isfinite(row.times[arm].summary.median) &&
        !has_wrong_outputs(row, arm_name(row, arm))) {
      arms.push_back(arm);
    }
  }
  return arms;
}

bool is_unbeaten(const BenchRow& row, size_t arm) {
  const std::vector<size_t> arms = unbeaten_arms(row);
  return std::find(arms.begin(), arms.end(), arm) != arms.end();
}

bool has_wrong_outputs(const BenchRow& row, const std::string& arm) {
  return std::any_of(row.parity.begin(), row.parity.end(),
                     [&](const ArmParity& parity) { return parity.arm == arm && !parity.holds(); });
}

}  // namespace sprue::page
