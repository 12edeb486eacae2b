#include "cli/array_summary.h"

#include <fmt/format.h>

#include <cmath>

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
  const T* values = array.data<T>();
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
  switch (array.dtype()) {
    case Dtype::bool_:
      return summarize_as<bool>(array);
    case Dtype::uint8:
      return summarize_as<uint8_t>(array);
    case Dtype::uint16:
      return summarize_as<uint16_t>(array);
    case Dtype::uint32:
      return summarize_as<uint32_t>(array);
    case Dtype::uint64:
      return summarize_as<uint64_t>(array);
    case Dtype::int8:
      return summarize_as<int8_t>(array);
    case Dtype::int16:
      return summarize_as<int16_t>(array);
    case Dtype::int32:
      return summarize_as<int32_t>(array);
    case Dtype::int64:
      return summarize_as<int64_t>(array);
    case Dtype::float16:
      return summarize_as<Float16>(array);
    case Dtype::bfloat16:
      return summarize_as<BFloat16>(array);
    case Dtype::float32:
      return summarize_as<float>(array);
    case Dtype::float64:
      return summarize_as<double>(array);
    case Dtype::complex64:
      return summarize_as<std::complex<float>>(array);
  }
  return {};
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
