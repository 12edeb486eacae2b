#include "cli/mismatch_json.h"

#include <cmath>

namespace sprue::cli {

namespace {

using Json = nlohmann::ordered_json;

Json number_json(double number) {
  return std::isfinite(number) ? Json(number) : Json(fmt::format("{}", std::abs(number)));
}

// The shortest text of a value is JSON's unless the value isn't finite or complex.
Json value_json(const std::string& text) {
  return Json::accept(text) ? Json::parse(text) : Json(text);
}

Json element_json(const ElementMismatch& element) {
  return {{"index", element.index},
          {"got", value_json(element.got)},
          {"expected", value_json(element.expected)},
          {"absolute", number_json(element.absolute)},
          {"relative", number_json(element.relative)},
          {"ulp", element.ulp ? number_json(*element.ulp) : Json()}};
}

}  // namespace

Json mismatch_json(const Mismatch& mismatch) {
  return {{"mismatched", mismatch.mismatched},
          {"total", mismatch.total},
          {"first", element_json(mismatch.first)},
          {"worst", element_json(mismatch.worst)},
          {"nan", {{"got", mismatch.got_nan}, {"expected", mismatch.expected_nan}}},
          {"infinite", {{"got", mismatch.got_infinite}, {"expected", mismatch.expected_infinite}}}};
}

}  // namespace sprue::cli
