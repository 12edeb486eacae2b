#include "language/number.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace sprue::language {

namespace {

struct Format {          // of a 16-bit float
  int significand_bits;  // stored ones
  int bias;
};

constexpr Format kHalf{10, 15};
constexpr Format kBFloat{7, 127};

// Rounds by scaling so that the last kept bit has weight 1; nearbyint then takes ties to even.
uint64_t encode_small(Real value, Format format) {
  const uint64_t sign = std::signbit(value) ? 0x8000u : 0u;
  const uint64_t infinity = (0x7fffu >> format.significand_bits) << format.significand_bits;
  if (std::isnan(value)) return sign | infinity | (infinity ^ 0x7fffu);
  if (std::isinf(value)) return sign | infinity;
  const Real magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  const int smallest = 1 - format.bias;  // exponent of the smallest normal number
  const int exponent = std::max(std::ilogb(magnitude), smallest);
  const auto units = static_cast<uint64_t>(
      std::nearbyint(std::scalbn(magnitude, format.significand_bits - exponent)));
  // A carry out of the significand runs into the exponent, as it should.
  const uint64_t base = static_cast<uint64_t>(exponent - smallest) << format.significand_bits;
  return sign | std::min(base + units, infinity);
}

Real decode_small(uint64_t bits, Format format) {
  const uint64_t field = (bits & 0x7fffu) >> format.significand_bits;
  const uint64_t fraction = bits & ((1u << format.significand_bits) - 1);
  const uint64_t top = 0x7fffu >> format.significand_bits;
  Real magnitude;
  if (field == top)
    magnitude =
        fraction ? std::numeric_limits<Real>::quiet_NaN() : std::numeric_limits<Real>::infinity();
  else if (field == 0)
    magnitude = std::scalbn(static_cast<Real>(fraction), 1 - format.bias - format.significand_bits);
  else
    magnitude = std::scalbn(static_cast<Real>(fraction | (1u << format.significand_bits)),
                            static_cast<int>(field) - format.bias - format.significand_bits);
  return bits & 0x8000u ? -magnitude : magnitude;
}

uint64_t encode_integer(Real value) {
  if (!std::isfinite(value)) return 0;
  value = std::fmod(value, 18446744073709551616.0L);  // 2^64
  return value < 0 ? ~static_cast<uint64_t>(-value) + 1 : static_cast<uint64_t>(value);
}

}  // namespace

uint64_t encode(Real value, Dtype dtype) {
  switch (dtype) {
    case float16:
      return encode_small(value, kHalf);
    case bfloat16:
      return encode_small(value, kBFloat);
    case float32:
      return std::bit_cast<uint32_t>(static_cast<float>(value));
    case float64:
      return std::bit_cast<uint64_t>(static_cast<double>(value));
    case bool_:
      return value != 0;
    default: {
      const uint64_t all = encode_integer(value);
      const size_t bytes = dtype_size(dtype);
      return bytes == 8 ? all : all & ((uint64_t{1} << 8 * bytes) - 1);
    }
  }
}

Real decode(uint64_t bits, Dtype dtype) {
  switch (dtype) {
    case float16:
      return decode_small(bits, kHalf);
    case bfloat16:
      return decode_small(bits, kBFloat);
    case float32:
      return std::bit_cast<float>(static_cast<uint32_t>(bits));
    case float64:
      return std::bit_cast<double>(bits);
    case int8:
      return static_cast<int8_t>(bits);
    case int16:
      return static_cast<int16_t>(bits);
    case int32:
      return static_cast<int32_t>(bits);
    case int64:
      return static_cast<int64_t>(bits);
    default:
      return bits;
  }
}

Real ulp(Real value, Dtype dtype) {
  const int significand = dtype == float16 ? 10 : dtype == bfloat16 ? 7 : 23;
  const int smallest = dtype == float16 ? -14 : -126;
  const int exponent = value == 0 ? smallest : std::max(std::ilogb(value), smallest);
  return std::scalbn(Real{1}, exponent - significand);
}

Array make_array(Dtype dtype, const std::vector<Real>& values) {
  std::vector<uint64_t> patterns;
  for (Real value : values) patterns.push_back(encode(value, dtype));
  return make_array_of_bits(dtype, patterns);
}

Array make_array_of_bits(Dtype dtype, const std::vector<uint64_t>& patterns) {
  Array array = Array::empty({static_cast<int64_t>(patterns.size())}, dtype);
  auto* out = static_cast<char*>(array.address());
  for (size_t i = 0; i < patterns.size(); ++i)
    std::memcpy(out + i * dtype_size(dtype), &patterns[i], dtype_size(dtype));
  return array;
}

uint64_t bits_at(const Array& array, int64_t index) {
  uint64_t bits = 0;
  const size_t bytes = dtype_size(array.dtype());
  std::memcpy(&bits, static_cast<const char*>(array.address()) + static_cast<size_t>(index) * bytes,
              bytes);
  return bits;
}

std::vector<Real> uniform(int64_t count, Real low, Real high, uint64_t seed, Dtype dtype) {
  std::vector<Real> values;
  uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  for (int64_t i = 0; i < count; ++i) {  // a 64-bit linear congruential generator, upper bits
    state = state * 6364136223846793005u + 1442695040888963407u;
    const Real fraction = static_cast<Real>(state >> 11) / 9007199254740992.0L;
    values.push_back(rounded(low + (high - low) * fraction, dtype));
  }
  return values;
}

Array random_array(const Shape& shape, Dtype dtype, uint64_t seed, Real low, Real high) {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  return make_array(dtype, uniform(count, low, high, seed, dtype)).reshaped(shape);
}

}  // namespace sprue::language
