#include "measure/report/report_html.h"

#include <fmt/format.h>

#include "measure/plot/svg_text.h"
#include "measure/report/report_html_parts.h"

namespace sprue {
namespace {

// Beyond this many rows each is folded: the table at the top is the way in.
constexpr size_t kMostOpenRows = 6;

// "2025-03-04T05:06:07Z" as people write it; anything else as it is.
std::string readable_date(const std::string& text) {
  if (text.size() < 19 || text[4] != '-' || text[10] != 'T' || text[13] != ':') return text;
  return text.substr(0, 10) + " " + text.substr(11, 5) + " UTC";
}

const nlohmann::ordered_json* find_key(const nlohmann::ordered_json& value, const char* key,
                                       int depth) {
  if (!value.is_object() || depth == 0) return nullptr;
  if (const auto found = value.find(key); found != value.end() && found->is_string())
    return &*found;
  for (const auto& item : value) {
    if (const auto* found = find_key(item, key, depth - 1)) return found;
  }
  return nullptr;
}

std::string quietness(const BenchReport& report) {
  if (!report.noise) return "not watched";
  return report.noise->flags.empty() ? "quiet: nothing disturbing was seen" : "noisy";
}

std::string facts(const BenchReport& report) {
  std::string html = "<dl class=\"facts\">";
  const auto fact = [&](const char* name, const std::string& value, const char* element) {
    if (value.empty()) return;
    html += fmt::format("<div><dt>{0}</dt><dd><{1}>{2}</{1}></dd></div>", name, element,
                        escape_markup(value));
  };
  fact("Device", report.device, "span");
  if (const auto* processor = find_key(report.stack, "processor", 4)) {
    fact("Processor", processor->get_ref<const std::string&>(), "span");
  }
  fact("Measured", readable_date(report.started), "time");
  fact("Machine", quietness(report), "span");
  fact("Command", report.command, "code");
  return html + "</dl>\n";
}

std::string rows(const BenchReport& report) {
  std::string html;
  const bool is_folded = report.rows.size() > kMostOpenRows;
  for (size_t i = 0; i < report.rows.size(); ++i) {
    const std::string title = escape_markup(page::row_title(report.rows[i]));
    const std::string content = page::row_section(report, i);
    if (is_folded) {
      html += fmt::format(
          "<details class=\"row\"><summary><h2>{}</h2></summary><div "
          "id=\"{}\">{}</div></details>\n",
          title, page::row_id(i), content);
    } else {
      html += fmt::format("<section class=\"row\" id=\"{}\"><h2>{}</h2>{}</section>\n",
                          page::row_id(i), title, content);
    }
  }
  return html;
}

}  // namespace

std::string report_html(const BenchReport& report) {
  const std::string kernel = escape_markup(report.kernel.empty() ? "kernel" : report.kernel);
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      // Should a name ever get past escaping, nothing of it runs and nothing is fetched.
      "<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n";
  html += fmt::format("<title>{}: benchmark</title>\n<style>{}</style>\n</head>\n<body><main>\n",
                      kernel, page::stylesheet());
  html += "<header><p class=\"eyebrow\">Benchmark</p><h1>" + kernel + "</h1></header>\n";
  html += page::warnings(report);
  html += facts(report);
  html += page::summary(report);
  html += page::how_to_read();
  html += page::claims(report);
  html += page::report_figures(report);
  html += rows(report);
  html += page::runs(report);
  html += page::measurement_details(report);
  return html + "</main></body>\n</html>\n";
}

}  // namespace sprue
