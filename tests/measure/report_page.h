// A small report, and what must be true of any page.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "measure/report.h"

namespace sprue {

inline ArmTimes times(std::string name, std::vector<double> seconds) {
  const Summary summary = summarize(seconds);
  return {.name = std::move(name), .seconds = std::move(seconds), .summary = summary};
}

inline std::vector<double> around(double middle, int count) {
  std::vector<double> seconds;
  for (int i = 0; i < count; ++i) seconds.push_back(middle * (1 + 0.001 * ((i * 11) % 31 - 15)));
  return seconds;
}

inline BenchReport small_report() {
  BenchReport report{.kernel = "scale",
                     .device = "cpu",
                     .command = "sprue bench scale.toml",
                     .started = "2025-03-04T05:06:07Z"};
  BenchRow row{.call = "default",
               .sizes = {{"M", 64}},
               .bytes = 2e6,
               .ops = 5e5,
               .trials = 31,
               .operations = 200};
  row.times = {times("native", around(1.2e-5, 31)), times("jit", around(1.1e-5, 31))};
  row.arms = {{.name = "native",
               .optimization = "default",
               .target = "cpu:x86-64-v3",
               .compiler = "GCC 12",
               .digest = "aaaabbbbccccdddd"},
              {.name = "jit",
               .optimization = "fast",
               .target = "cpu:x86-64-v4",
               .compiler = "clang 19",
               .digest = "0123456789abcdef"}};
  row.pairs = compare_all(row.times);
  row.bound = {.by = "bandwidth", .seconds = 5e-6, .bandwidth = 4e11, .memory = "L2"};
  report.rows.push_back(row);
  return report;
}

inline bool holds(const std::string& html, const std::string& part) {
  return html.find(part) != std::string::npos;
}

// Every tag closed in order, every attribute quoted, no stray bracket: empty, or what is wrong.
inline std::string find_fault(const std::string& html) {
  const std::vector<std::string> kVoid = {"meta", "br", "!DOCTYPE"};
  std::vector<std::string> open;
  for (size_t at = 0; (at = html.find('<', at)) != std::string::npos;) {
    size_t end = at + 1;
    bool is_quoted = false;
    for (; end < html.size() && (is_quoted || html[end] != '>'); ++end) {
      if (html[end] == '"') is_quoted = !is_quoted;
      if (!is_quoted && html[end] == '<') return "bracket in a tag: " + html.substr(at, 60);
    }
    const std::string tag = html.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    at = end;
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return "closes what isn't open: " + tag;
      open.pop_back();
    } else if (!tag.ends_with('/') && std::find(kVoid.begin(), kVoid.end(), name) == kVoid.end()) {
      open.push_back(name);
    }
  }
  return open.empty() ? "" : "never closed: " + open.back();
}

}  // namespace sprue
