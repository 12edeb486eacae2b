#include "kernel_file/fill.h"

#include <array>
#include <limits>
#include <type_traits>

#include "array/visit_dtype.h"

namespace sprue {
namespace {

constexpr std::array<std::string_view, 8> kFillNames = {
    "zeros", "ones", "normal", "uniform", "arange", kAffineInt4, kAffineInt4, kAffineInt4};

// SplitMix64 as a function of its counter: word i of the sequence that the seed starts.
class Words {
 public:
  explicit Words(uint64_t seed) : start_(mix(seed + kStep)) {}
  uint64_t operator()(uint64_t i) const { return mix(start_ + (i + 1) * kStep); }

 private:
  static constexpr uint64_t kStep = 0x9e3779b97f4a7c15u;
  static uint64_t mix(uint64_t word) {
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
    word = (word ^ word >> 27) * 0x94d049bb133111ebu;
    return word ^ word >> 31;
  }
  uint64_t start_;
};

// The sum of 12 uniforms of 16 bits each, centred: variance 12 * (2^32 - 1) / 12 in units of 2^-32.
// At most 20 significant bits, so exact in float and double.
double normal(const Words& words, uint64_t i) {
  int64_t sum = 0;
  for (uint64_t j = 0; j < 3; ++j) {
    const uint64_t word = words(3 * i + j);
    for (int shift = 0; shift < 64; shift += 16)
      sum += static_cast<int64_t>(word >> shift & 0xffff);
  }
  return static_cast<double>(sum - 12 * 65535 / 2) * 0x1p-16;
}

// As many leading bits as the type holds exactly: rounding could yield 1.
double uniform(const Words& words, uint64_t i, int significand_bits) {
  const uint64_t word = words(i) >> (64 - significand_bits);
  return static_cast<double>(word) / static_cast<double>(uint64_t{1} << significand_bits);
}

template <typename T>
constexpr int kSignificandBits = std::is_same_v<T, BFloat16>  ? 8
                                 : std::is_same_v<T, Float16> ? 11
                                 : std::is_same_v<T, float>   ? 24
                                                              : 53;

// 1/128 times [1, 2), of one bit less than the significand has: the product with -8 is exact too.
double affine_scale(const Words& words, uint64_t i, int significand_bits) {
  return (1 + uniform(words, i, significand_bits - 1)) / 128;
}

template <typename T>
T from_double(double value) {
  if constexpr (std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>) {
    return T(static_cast<float>(value));
  } else {
    return static_cast<T>(value);
  }
}

// `count` parts of a floating type: elements, or the halves of complex numbers.
template <typename T>
void fill_floating(T* data, uint64_t count, Fill fill, const Words& words) {
  constexpr int kBits = kSignificandBits<T>;
  for (uint64_t i = 0; i < count; ++i) {
    const double value = fill == Fill::normal          ? normal(words, i)
                         : fill == Fill::affine_scales ? affine_scale(words, i, kBits)
                         : fill == Fill::affine_biases ? -8 * affine_scale(words, i, kBits)
                                                       : uniform(words, i, kBits);
    data[i] = from_double<T>(value);
  }
}

bool is_random(Fill fill) {
  return fill != Fill::zeros && fill != Fill::ones && fill != Fill::arange;
}

template <typename T>
void fill_typed(Array& array, Fill fill, const Words& words) {
  T* data = array.data<T>();
  const auto count = static_cast<uint64_t>(array.size());
  if constexpr (std::is_same_v<T, std::complex<float>>) {
    if (is_random(fill)) {
      return fill_floating(reinterpret_cast<float*>(data), 2 * count, fill, words);
    }
    for (uint64_t i = 0; i < count; ++i) {
      data[i] = fill == Fill::arange ? static_cast<float>(i) : fill == Fill::ones ? 1.0f : 0.0f;
    }
  } else if constexpr (std::is_integral_v<T>) {
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t value = is_random(fill)        ? words(i)
                             : fill == Fill::arange ? i
                                                    : uint64_t{fill == Fill::ones};
      // A bool takes the top bit; an integer the low bits, which is its whole range.
      if constexpr (std::is_same_v<T, bool>) {
        data[i] = is_random(fill) ? value >> 63 != 0 : value != 0;
      } else {
        data[i] = static_cast<T>(value);
      }
    }
  } else {
    if (is_random(fill)) {
      return fill_floating(data, count, fill, words);
    }
    for (uint64_t i = 0; i < count; ++i) {
      data[i] = from_double<T>(fill == Fill::arange ? static_cast<double>(i)
                                                    : (fill == Fill::ones ? 1.0 : 0.0));
    }
  }
}

// The last whole number that an arange may reach in this dtype.
double largest_arange(Dtype dtype) {
  switch (dtype) {
    case Dtype::bool_:
      return 1;
    case Dtype::uint8:
      return 0xff;
    case Dtype::int8:
      return 0x7f;
    case Dtype::uint16:
      return 0xffff;
    case Dtype::int16:
      return 0x7fff;
    case Dtype::uint32:
      return 0xffffffff;
    case Dtype::int32:
      return 0x7fffffff;
    case Dtype::float16:
      return 65504;
    default:
      return std::numeric_limits<double>::infinity();
  }
}

}  // namespace

bool fill_from_name(std::string_view name, Fill& fill) {
  for (size_t i = 0; i <= static_cast<size_t>(Fill::arange); ++i) {
    if (kFillNames[i] != name) continue;
    fill = static_cast<Fill>(i);
    return true;
  }
  return false;
}

std::string_view fill_name(Fill fill) { return kFillNames[static_cast<size_t>(fill)]; }

Status check_fill(int64_t elements, Dtype dtype, Fill fill) {
  if (fill == Fill::normal && !dtype_is_floating(dtype) && dtype != Dtype::complex64) {
    return fail(ErrorCode::invalid_argument, "fill",
                "expected a floating dtype for fill 'normal', got {}; use 'uniform'",
                dtype_name(dtype));
  }
  if (fill == Fill::affine_weights && dtype != Dtype::uint32) {
    return fail(ErrorCode::invalid_argument, "fill",
                "expected uint32 for the weights of fill '{}', got {}", kAffineInt4,
                dtype_name(dtype));
  }
  if ((fill == Fill::affine_scales || fill == Fill::affine_biases) && !dtype_is_floating(dtype)) {
    return fail(ErrorCode::invalid_argument, "fill",
                "expected a floating dtype for the scales and biases of fill '{}', got {}",
                kAffineInt4, dtype_name(dtype));
  }
  if (fill == Fill::arange && static_cast<double>(elements) - 1 > largest_arange(dtype)) {
    return fail(ErrorCode::invalid_argument, "fill",
                "expected at most {} elements for fill 'arange' of {}, got {}",
                largest_arange(dtype) + 1, dtype_name(dtype), elements);
  }
  return {};
}

Status fill_array(Array& array, Fill fill, uint64_t seed) {
  SPRUE_CHECK(check_fill(array.size(), array.dtype(), fill));
  if (!array.is_row_contiguous() || !array.is_writable()) {
    return fail(ErrorCode::invalid_argument, "fill",
                "expected a writable, row-contiguous array, got another");
  }
  const Words words(seed);
  visit_dtype(array.dtype(), [&](auto element) {
    fill_typed<typename decltype(element)::type>(array, fill, words);
  });
  return {};
}

}  // namespace sprue
