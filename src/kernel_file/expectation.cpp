#include "kernel_file/expectation.h"

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

#include "array/npy.h"
#include "array/visit_dtype.h"

namespace sprue {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// An element of any dtype. Integers beyond 2^53 aren't exact in double, so they keep their own
// value.
struct Value {
  std::complex<double> number;
  std::optional<__int128> integer = {};
};

template <typename T>
Value load_as(const std::byte* address) {
  T value;
  std::memcpy(&value, address, sizeof value);
  if constexpr (std::is_integral_v<T>) {
    return {static_cast<double>(value), value};
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    return {std::complex<double>(value.real(), value.imag())};
  } else if constexpr (std::is_same_v<T, double>) {
    return {value};
  } else {
    return {static_cast<double>(static_cast<float>(value))};
  }
}

Value load(Dtype dtype, const std::byte* address) {
  return visit_dtype(dtype, [&](auto element) -> Value {
    using T = typename decltype(element)::type;
    // A kernel may leave any byte in a bool, and only 0 and 1 are values of one in C++.
    return load_as<std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>>(address);
  });
}

std::string value_text(const Value& value, Dtype dtype) {
  if (value.integer) {
    return *value.integer < 0 ? fmt::format("{}", static_cast<int64_t>(*value.integer))
                              : fmt::format("{}", static_cast<uint64_t>(*value.integer));
  }
  // float32 is the widest of the others, and its shortest text is shorter than a double's.
  const auto part = [&](double number) -> std::string {
    if (std::isnan(number)) return "nan";  // whatever its sign
    return dtype == Dtype::float64 ? fmt::format("{}", number)
                                   : fmt::format("{}", static_cast<float>(number));
  };
  if (dtype != Dtype::complex64) return part(value.number.real());
  const std::string imaginary = part(value.number.imag());
  return fmt::format("{}{}{}i", part(value.number.real()), imaginary[0] == '-' ? "" : "+",
                     imaginary);
}

bool is_nan(const Value& value) {
  return std::isnan(value.number.real()) || std::isnan(value.number.imag());
}
bool is_infinite(const Value& value) {
  return !is_nan(value) && (std::isinf(value.number.real()) || std::isinf(value.number.imag()));
}

// |integer - real|. Whole parts are subtracted as integers: as doubles, 2^53 + 1 would equal 2^53.
double distance(__int128 integer, double real) {
  if (std::abs(real) >= 0x1p100) return std::abs(static_cast<double>(integer) - real);
  const double whole = std::trunc(real);
  return std::abs(static_cast<double>(integer - static_cast<__int128>(whole)) - (real - whole));
}

double difference(const Value& got, const Value& expected) {
  if (got.integer && expected.integer) {
    const __int128 distance = *got.integer - *expected.integer;
    return static_cast<double>(distance < 0 ? -distance : distance);
  }
  if (is_nan(got) || is_nan(expected)) return std::numeric_limits<double>::quiet_NaN();
  if (is_infinite(got) || is_infinite(expected)) {
    return got.number == expected.number ? 0 : kInfinity;
  }
  if (got.integer || expected.integer) {
    const Value &whole = got.integer ? got : expected, &other = got.integer ? expected : got;
    return std::hypot(distance(*whole.integer, other.number.real()), other.number.imag());
  }
  return std::abs(got.number - expected.number);
}

bool agrees(const Value& got, const Value& expected, double absolute, double rtol, double atol) {
  if (is_nan(got) && is_nan(expected)) return true;
  if (absolute == 0) return true;
  return std::isfinite(absolute) && absolute <= atol + rtol * std::abs(expected.number);
}

// Distance between neighbours of `magnitude` in a floating dtype.
double unit_in_last_place(Dtype dtype, double magnitude) {
  struct Format {
    int significand_bits, minimum_exponent;
  };
  const Format format = dtype == Dtype::float16    ? Format{11, -14}
                        : dtype == Dtype::bfloat16 ? Format{8, -126}
                        : dtype == Dtype::float64  ? Format{53, -1022}
                                                   : Format{24, -126};
  const int exponent = magnitude > 0 ? std::ilogb(magnitude) : format.minimum_exponent;
  return std::ldexp(1.0, std::max(exponent, format.minimum_exponent) - format.significand_bits + 1);
}

ElementMismatch describe_element(const Array& got, const Array& expected, int64_t position,
                                 const Value& a, const Value& b, double absolute) {
  ElementMismatch element;
  element.index.resize(got.shape().size());
  for (size_t i = got.shape().size(); i-- > 0; position /= got.shape()[i]) {
    element.index[i] = position % got.shape()[i];
  }
  element.got = value_text(a, got.dtype());
  element.expected = value_text(b, expected.dtype());
  element.absolute = absolute;
  const double magnitude = std::abs(b.number);
  element.relative = !std::isfinite(absolute) ? absolute
                     : magnitude == 0         ? kInfinity
                                              : absolute / magnitude;
  if (!a.integer && std::isfinite(absolute)) {
    element.ulp = absolute / unit_in_last_place(got.dtype(), magnitude);
  }
  return element;
}

std::string element_text(const ElementMismatch& element) {
  std::string text = fmt::format("[{}]: got {}, expected {} (absolute {:.3g}, relative {:.3g}",
                                 fmt::join(element.index, ", "), element.got, element.expected,
                                 element.absolute, element.relative);
  if (element.ulp) text += fmt::format(", {:.3g} ulp", *element.ulp);
  return text + ")";
}

}  // namespace

std::string Mismatch::text() const {
  std::string text = fmt::format("{} of {} elements differ; first {}; worst {}", mismatched, total,
                                 element_text(first), element_text(worst));
  if (got_nan || expected_nan)
    text += fmt::format("; NaN: got {}, expected {}", got_nan, expected_nan);
  if (got_infinite || expected_infinite) {
    text += fmt::format("; infinite: got {}, expected {}", got_infinite, expected_infinite);
  }
  return text;
}

Result<std::optional<Mismatch>> compare(const Array& got, const Array& expected, double rtol,
                                        double atol) {
  if (!(got.shape() == expected.shape())) {
    return fail(ErrorCode::invalid_argument, "expectation", "expected shape {}, got {}",
                to_string(expected.shape()), to_string(got.shape()));
  }
  const Array packed_got = got.contiguous(), packed_expected = expected.contiguous();
  const auto* got_bytes = static_cast<const std::byte*>(packed_got.address());
  const auto* expected_bytes = static_cast<const std::byte*>(packed_expected.address());
  const size_t got_size = dtype_size(got.dtype()), expected_size = dtype_size(expected.dtype());
  Mismatch mismatch;
  mismatch.total = got.size();
  double worst = -1;
  for (int64_t i = 0; i < got.size(); ++i) {
    const auto position = static_cast<size_t>(i);
    const Value a = load(got.dtype(), got_bytes + position * got_size);
    const Value b = load(expected.dtype(), expected_bytes + position * expected_size);
    mismatch.got_nan += is_nan(a);
    mismatch.expected_nan += is_nan(b);
    mismatch.got_infinite += is_infinite(a);
    mismatch.expected_infinite += is_infinite(b);
    const double absolute = difference(a, b);
    if (agrees(a, b, absolute, rtol, atol)) continue;
    const double rank = std::isfinite(absolute) ? absolute : kInfinity;
    if (rank > worst) {
      mismatch.worst = describe_element(got, expected, i, a, b, absolute);
      worst = rank;
    }
    if (mismatch.mismatched++ == 0) mismatch.first = mismatch.worst;
  }
  if (mismatch.mismatched == 0) return std::nullopt;
  return mismatch;
}

Result<std::optional<Mismatch>> check_expectation(const OutputSpec& spec, const Array& got) {
  if (spec.expect.empty()) return std::nullopt;
  SPRUE_ASSIGN(const Array expected, read_npy(spec.expect));
  return compare(got, expected, spec.rtol, spec.atol);
}

}  // namespace sprue
