// The other direction of report_json.cpp: a file that somebody may have written by hand.
#include <cmath>
#include <limits>

#include "measure/report/report_json.h"
#include "measure/runs.h"
#include "measure/sweep.h"

namespace sprue {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Thrown inside this file only: a place in the JSON that isn't what it should be.
struct Wrong {
  std::string text;
};

const Json& object_at(const Json& json, const std::string& place) {
  if (!json.is_object()) throw Wrong{fmt::format("an object at {}", place)};
  return json;
}

std::string text_at(const Json& object, const char* key, std::string fallback = "") {
  const auto found = object.find(key);
  if (found == object.end()) return fallback;
  if (!found->is_string()) throw Wrong{fmt::format("text for '{}'", key)};
  return found->get<std::string>();
}

double number_at(const Json& object, const char* key, double fallback) {
  const auto found = object.find(key);
  if (found == object.end()) return fallback;
  if (!found->is_number()) throw Wrong{fmt::format("a number for '{}'", key)};
  return found->get<double>();
}

// A count: what isn't one that a 64-bit integer holds is refused rather than cut.
int64_t integer_at(const Json& object, const char* key, int64_t smallest = 0) {
  const double value = number_at(object, key, 0);
  if (!(value >= static_cast<double>(smallest) && value < 9e18) || value != std::floor(value))
    throw Wrong{fmt::format("an integer of at least {} for '{}'", smallest, key)};
  return static_cast<int64_t>(value);
}

int count_at(const Json& object, const char* key) {
  return static_cast<int>(
      std::min<int64_t>(integer_at(object, key), std::numeric_limits<int>::max()));
}

std::vector<std::string> texts_at(const Json& object, const char* key) {
  std::vector<std::string> texts;
  const auto found = object.find(key);
  if (found == object.end()) return texts;
  if (!found->is_array()) throw Wrong{fmt::format("a list for '{}'", key)};
  for (const Json& one : *found) {
    if (!one.is_string()) throw Wrong{fmt::format("texts in '{}'", key)};
    texts.push_back(one.get<std::string>());
  }
  return texts;
}

const Json& list_at(const Json& object, const char* key) {
  static const Json none = Json::array();
  const auto found = object.find(key);
  if (found == object.end()) return none;
  if (!found->is_array()) throw Wrong{fmt::format("a list for '{}'", key)};
  return *found;
}

ArmTimes read_times(const Json& arm, const std::string& name, const std::string& place) {
  ArmTimes times{.name = name, .seconds = {}, .summary = {kNan, kNan, kNan, kNan, kNan}};
  for (const Json& trial : list_at(arm, "trials")) {
    if (!trial.is_number() || !(trial.get<double>() > 0) || !std::isfinite(trial.get<double>()))
      throw Wrong{fmt::format("positive seconds in 'trials' of {}", place)};
    times.seconds.push_back(trial.get<double>());
  }
  if (!times.seconds.empty()) {
    times.summary = summarize(times.seconds);
    return times;
  }
  const auto seconds = arm.find("seconds");
  if (seconds == arm.end()) throw Wrong{fmt::format("'trials' or 'seconds' in {}", place)};
  times.summary.median = number_at(object_at(*seconds, "'seconds' of " + place), "median", kNan);
  if (!(times.summary.median > 0) || !std::isfinite(times.summary.median))
    throw Wrong{fmt::format("a positive 'median' in 'seconds' of {}", place)};
  return times;
}

ArmIdentity read_identity(const Json& arm, const std::string& place) {
  ArmIdentity identity;
  identity.name = text_at(object_at(arm, place), "name");
  if (identity.name.empty()) throw Wrong{fmt::format("a 'name' in {}", place)};
  identity.route = text_at(arm, "route");
  identity.optimization = text_at(arm, "optimization");
  identity.source = text_at(arm, "source");
  identity.target = text_at(arm, "target");
  identity.compiler = text_at(arm, "compiler");
  identity.options = text_at(arm, "options");
  identity.digest = text_at(arm, "digest");
  identity.form = text_at(arm, "form");
  identity.code_bytes = integer_at(arm, "code_bytes");
  identity.frame_bytes = integer_at(arm, "frame_bytes");
  return identity;
}

BenchRow read_row(const Json& call, const std::string& place) {
  BenchRow row;
  row.call = text_at(object_at(call, place), "call", place);
  if (const auto sizes = call.find("sizes"); sizes != call.end())
    for (const auto& [name, value] : object_at(*sizes, "'sizes' of " + place).items())
      row.sizes.emplace_back(
          name, integer_at(*sizes, name.c_str(), std::numeric_limits<int64_t>::min() / 2));
  if (call.contains("bytes")) row.bytes = number_at(call, "bytes", 0);
  if (call.contains("ops")) row.ops = number_at(call, "ops", 0);
  row.operations = count_at(call, "operations");
  row.input_copies = count_at(call, "input_copies");
  row.working_set_bytes = integer_at(call, "working_set_bytes");
  if (const auto inputs = call.find("inputs"); inputs != call.end())
    for (const auto& [name, value] : object_at(*inputs, "'inputs' of " + place).items())
      row.input_digests.emplace_back(name, text_at(*inputs, name.c_str()));
  for (const Json& arm : list_at(call, "arms")) {
    const std::string arm_place = fmt::format("arm {} of {}", row.arms.size() + 1, place);
    row.arms.push_back(read_identity(arm, arm_place));
    row.times.push_back(read_times(arm, row.arms.back().name, arm_place));
    const size_t trials = row.times.back().seconds.size(), first = row.times.front().seconds.size();
    if (trials != first)
      throw Wrong{fmt::format("{} trials in {}, as in the first arm,", first, arm_place)};
  }
  row.trials = row.times.empty() ? 0 : static_cast<int>(row.times.front().seconds.size());
  for (const Json& one : list_at(call, "parity")) {
    ArmParity parity{.arm = text_at(object_at(one, "'parity'"), "arm"),
                     .reference = text_at(one, "reference")};
    parity.deviation = number_at(one, "deviation", kNan);
    parity.bar = number_at(one, "limit", 0);
    parity.identical = one.value("identical", false);
    parity.mismatch = text_at(one, "mismatch");
    row.parity.push_back(std::move(parity));
  }
  row.left_out = texts_at(call, "left_out");
  if (const auto bound = call.find("bound"); bound != call.end()) {
    row.bound.by = text_at(object_at(*bound, "'bound'"), "by");
    row.bound.memory = text_at(*bound, "memory");
    row.bound.seconds = number_at(*bound, "seconds", 0);
    row.bound.bandwidth = number_at(*bound, "bandwidth", 0);
  }
  row.pairs = compare_all(row.times);
  return row;
}

Roofline read_roofline(const Json& json) {
  Roofline roof;
  for (const Json& level : list_at(object_at(json, "'roofline'"), "levels"))
    roof.levels.push_back({text_at(object_at(level, "'levels'"), "name"),
                           integer_at(level, "capacity"), number_at(level, "bandwidth", 0)});
  roof.operations = number_at(json, "operations", 0);
  roof.launch_seconds = number_at(json, "launch_seconds", 0);
  return roof;
}

Noise read_noise(const Json& json) {
  object_at(json, "'noise'");
  Noise noise;
  noise.load_before = number_at(json, "load_before", 0);
  noise.load_after = number_at(json, "load_after", 0);
  noise.stolen = number_at(json, "stolen", 0);
  noise.slowest_clock = number_at(json, "slowest_clock", 0);
  noise.fastest_clock = number_at(json, "fastest_clock", 0);
  noise.throttled = integer_at(json, "throttled");
  noise.preempted = integer_at(json, "preempted");
  noise.control_spread = number_at(json, "control_spread", 0);
  noise.flags = texts_at(json, "flags");
  return noise;
}

BenchReport read_report(const Json& json) {
  BenchReport report;
  report.kernel = text_at(object_at(json, "the top"), "kernel");
  report.device = text_at(json, "device");
  report.command = text_at(json, "command");
  report.started = text_at(json, "started");
  if (json.contains("stack")) report.stack = json["stack"];
  if (json.contains("noise")) report.noise = read_noise(json["noise"]);
  if (json.contains("roofline")) report.roofline = read_roofline(json["roofline"]);
  for (const Json& call : list_at(json, "calls"))
    report.rows.push_back(read_row(call, fmt::format("call {}", report.rows.size() + 1)));
  if (report.rows.empty()) throw Wrong{"at least one entry in 'calls'"};
  for (const Json& one : list_at(json, "claims"))
    report.claims.push_back({text_at(object_at(one, "'claims'"), "arm"), text_at(one, "reference"),
                             text_at(one, "call"), number_at(one, "ratio", 1)});
  for (const Json& one : list_at(json, "runs")) {
    BenchReport::RunMedians run{.call = text_at(object_at(one, "'runs'"), "call"),
                                .arm = text_at(one, "arm"),
                                .medians = {},
                                .spread = number_at(one, "spread", kNan)};
    for (const Json& value : list_at(one, "medians")) {
      if (!value.is_number()) throw Wrong{"numbers in 'medians'"};
      run.medians.push_back(value.get<double>());
    }
    report.runs.push_back(std::move(run));
  }
  for (const Json& one : list_at(json, "run_pairs")) {
    BenchReport::RunPairs run{.call = text_at(object_at(one, "'run_pairs'"), "call"),
                              .arm = text_at(one, "arm"),
                              .reference = text_at(one, "reference"),
                              .ratios = {},
                              .intervals = {}};
    for (const Json& value : list_at(one, "ratios")) {
      if (!value.is_number()) throw Wrong{"numbers in 'ratios'"};
      run.ratios.push_back(value.get<double>());
    }
    for (const Json& value : list_at(one, "intervals")) {
      if (!value.is_array() || value.size() != 2 || !value[0].is_number() || !value[1].is_number())
        throw Wrong{"pairs of numbers in 'intervals'"};
      run.intervals.push_back({value[0].get<double>(), value[1].get<double>()});
    }
    report.run_pairs.push_back(std::move(run));
  }
  apply_run_pairs(report);
  review(report);
  return report;
}

}  // namespace

Result<BenchReport> report_from_json(const nlohmann::ordered_json& json,
                                     const std::string& origin) {
  try {
    return read_report(json);
  } catch (const Wrong& wrong) {
    return fail(ErrorCode::invalid_argument, "report", "expected {} in {}, got something else",
                wrong.text, origin);
  } catch (const nlohmann::json::exception& error) {
    return fail(ErrorCode::invalid_argument, "report", "expected a benchmark's JSON in {}, got: {}",
                origin, error.what());
  }
}

Result<BenchReport> parse_report(std::string_view text, const std::string& origin) {
  const auto json = nlohmann::ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded())
    return fail(ErrorCode::invalid_argument, "report", "expected JSON in {}, got text that isn't",
                origin);
  return report_from_json(json, origin);
}

}  // namespace sprue
