#include "cli/array_summary.h"

#include <fmt/format.h>

#include <cmath>

#include "array/visit_dtype.h"

namespace sprue::cli {

namespace {

void add(ArraySummary& summary, double& total, double value) {
  if (std::isnan(value)) {
    ++summary.nan;
  } else if (std::isinf(value)) {
    ++summary.infinite;
  } else {
    if (summary.finite++ == 0) summary.minimum = summary.maximum = value;
    summary.minimum = std::min(summary.minimum, value);
    summary.maximum = std::max(summary.maximum, value);
    total += value;
  }
}

template <typename T>
ArraySummary summarize_as(const Array& array) {
  ArraySummary summary;
  double total = 0;
  // A kernel may leave any byte in a bool, and only 0 and 1 are values of one in C++.
  using Stored = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;
  const auto* values = static_cast<const Stored*>(array.address());
  for (int64_t i = 0; i < array.size(); ++i) {
    if constexpr (std::is_same_v<T, std::complex<float>>)
      add(summary, total, std::abs(std::complex<double>(values[i])));
    else if constexpr (std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>)
      add(summary, total, static_cast<float>(values[i]));
    else
      add(summary, total, static_cast<double>(values[i]));
  }
  if (summary.finite) summary.mean = total / static_cast<double>(summary.finite);
  return summary;
}

}  // namespace

ArraySummary summarize(const Array& strided) {
  const Array array = strided.contiguous();
  return visit_dtype(array.dtype(), [&](auto element) {
    return summarize_as<typename decltype(element)::type>(array);
  });
}

std::string ArraySummary::text() const {
  std::string text =
      finite ? fmt::format("min {:.6g}, max {:.6g}, mean {:.6g}", minimum, maximum, mean)
             : "no finite element";
  if (nan) text += fmt::format(", {} NaN", nan);
  if (infinite) text += fmt::format(", {} infinite", infinite);
  return text;
}

nlohmann::ordered_json ArraySummary::json() const {
  return {{"min", minimum}, {"max", maximum}, {"mean", mean}, {"nan", nan}, {"infinite", infinite}};
}

}  // namespace sprue::cli
