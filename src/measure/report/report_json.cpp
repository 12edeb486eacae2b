#include "measure/report/report_json.h"

#include <cmath>

#include "measure/summary_json.h"

namespace sprue {

namespace {

using Json = nlohmann::ordered_json;

void put(Json& object, const char* key, double value) {
  if (std::isfinite(value)) object[key] = value;
}
void put(Json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}
void put(Json& object, const char* key, int64_t value) {
  if (value != 0) object[key] = value;
}

Json arm_json(const ArmIdentity& arm, const ArmTimes& times) {
  Json object = {{"name", arm.name}};
  if (!times.seconds.empty())
    object["seconds"] = summary_to_json(times.summary);
  else if (std::isfinite(times.summary.median))
    object["seconds"]["median"] = times.summary.median;
  put(object, "route", arm.route);
  put(object, "optimization", arm.optimization);
  put(object, "source", arm.source);
  put(object, "target", arm.target);
  put(object, "compiler", arm.compiler);
  put(object, "options", arm.options);
  put(object, "digest", arm.digest);
  put(object, "form", arm.form);
  put(object, "code_bytes", arm.code_bytes);
  put(object, "frame_bytes", arm.frame_bytes);
  if (!times.seconds.empty()) object["trials"] = times.seconds;
  return object;
}

Json pair_json(const BenchRow& row, const PairResult& pair) {
  Json object = {{"arm", row.arms[pair.arm].name}, {"reference", row.arms[pair.reference].name}};
  if (!pair.ratios.empty()) {
    object["ratio"] = summary_to_json(pair.summary);
    object["interval"] = {pair.interval.low, pair.interval.high};
  }
  put(object, "ratio_of_medians", pair.ratio_of_medians);
  object["same_binary"] = row.same_binary(pair);
  object["verdict"] = verdict_name(pair.verdict);
  object["sentence"] = pair.sentence;
  return object;
}

Json row_json(const BenchRow& row) {
  Json object = {{"call", row.call}};
  for (const auto& [name, value] : row.sizes) object["sizes"][name] = value;
  if (row.bytes) object["bytes"] = *row.bytes;
  if (row.ops) object["ops"] = *row.ops;
  object["trials"] = row.trials;
  object["operations"] = row.operations;
  object["input_copies"] = row.input_copies;
  object["working_set_bytes"] = row.working_set_bytes;
  for (const auto& [name, digest] : row.input_digests) object["inputs"][name] = digest;
  object["arms"] = Json::array();
  for (size_t i = 0; i < row.arms.size(); ++i)
    object["arms"].push_back(arm_json(row.arms[i], row.times[i]));
  object["parity"] = Json::array();
  for (const ArmParity& parity : row.parity) {
    Json one = {{"arm", parity.arm},
                {"reference", parity.reference},
                {"identical", parity.identical},
                {"deviation", parity.deviation},
                {"limit", parity.bar},
                {"holds", parity.holds()}};
    put(one, "mismatch", parity.mismatch);
    object["parity"].push_back(std::move(one));
  }
  object["pairs"] = Json::array();
  for (const PairResult& pair : row.pairs) object["pairs"].push_back(pair_json(row, pair));
  if (!row.left_out.empty()) object["left_out"] = row.left_out;
  if (row.bound.bandwidth > 0) {
    Json bound = {{"memory", row.bound.memory}, {"bandwidth", row.bound.bandwidth}};
    put(bound, "by", row.bound.by);
    put(bound, "seconds", row.bound.seconds);
    object["bound"] = std::move(bound);
  }
  if (!row.flags.empty()) object["flags"] = row.flags;
  return object;
}

Json roofline_json(const Roofline& roof) {
  Json levels = Json::array();
  for (const Roofline::Level& level : roof.levels)
    levels.push_back(
        {{"name", level.name}, {"capacity", level.capacity}, {"bandwidth", level.bandwidth}});
  return {{"levels", std::move(levels)},
          {"operations", roof.operations},
          {"launch_seconds", roof.launch_seconds}};
}

Json noise_json(const Noise& noise) {
  return {{"load_before", noise.load_before},
          {"load_after", noise.load_after},
          {"stolen", noise.stolen},
          {"slowest_clock", noise.slowest_clock},
          {"fastest_clock", noise.fastest_clock},
          {"throttled", noise.throttled},
          {"preempted", noise.preempted},
          {"control_spread", noise.control_spread},
          {"flags", noise.flags}};
}

}  // namespace

nlohmann::ordered_json report_json(const BenchReport& report) {
  Json json = {{"kernel", report.kernel}};
  put(json, "device", report.device);
  put(json, "command", report.command);
  put(json, "started", report.started);
  if (!report.stack.is_null()) json["stack"] = report.stack;
  if (report.noise) json["noise"] = noise_json(*report.noise);
  if (report.roofline) json["roofline"] = roofline_json(*report.roofline);
  json["calls"] = Json::array();
  for (const BenchRow& row : report.rows) json["calls"].push_back(row_json(row));
  if (!report.conclusions.empty()) json["conclusions"] = Json::array();
  for (const PairConclusion& one : report.conclusions)
    json["conclusions"].push_back({{"arm", one.arm},
                                   {"reference", one.reference},
                                   {"faster", one.faster},
                                   {"slower", one.slower},
                                   {"same", one.same},
                                   {"unresolved", one.unresolved},
                                   {"sentence", one.sentence}});
  for (const Claim& claim : report.claims) {
    Json one = {{"arm", claim.arm}, {"reference", claim.reference}, {"ratio", claim.ratio}};
    put(one, "call", claim.call);
    json["claims"].push_back(std::move(one));
  }
  json["flags"] = report.flags;
  for (const BenchReport::RunMedians& run : report.runs)
    json["runs"].push_back(
        {{"call", run.call}, {"arm", run.arm}, {"medians", run.medians}, {"spread", run.spread}});
  for (const BenchReport::RunPairs& run : report.run_pairs) {
    Json intervals = Json::array();
    for (const Interval& interval : run.intervals)
      intervals.push_back({interval.low, interval.high});
    json["run_pairs"].push_back({{"call", run.call},
                                 {"arm", run.arm},
                                 {"reference", run.reference},
                                 {"ratios", run.ratios},
                                 {"intervals", std::move(intervals)}});
  }
  return json;
}

}  // namespace sprue
