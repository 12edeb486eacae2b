#include "ops/widen.h"

#include <cstring>

#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace sprue {
namespace {

void widen_float16(const uint16_t* source, int64_t count, float* destination) {
  int64_t i = 0;
#if defined(__F16C__)
  for (; i + 8 <= count; i += 8) {
    const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(source + i));
    _mm256_storeu_ps(destination + i, _mm256_cvtph_ps(halves));
  }
  for (; i < count; ++i) destination[i] = _cvtsh_ss(source[i]);
#endif
  for (; i < count; ++i) destination[i] = float(Float16::from_bits(source[i]));
}

void widen_bfloat16(const uint16_t* source, int64_t count, float* destination) {
  for (int64_t i = 0; i < count; ++i) destination[i] = float(BFloat16::from_bits(source[i]));
}

}  // namespace

bool is_widenable(Dtype dtype) {
  return dtype == Dtype::float16 || dtype == Dtype::bfloat16 || dtype == Dtype::float32;
}

void widen(Dtype dtype, const void* source, int64_t count, float* destination) {
  if (count <= 0) return;
  switch (dtype) {
    case Dtype::float16:
      return widen_float16(static_cast<const uint16_t*>(source), count, destination);
    case Dtype::bfloat16:
      return widen_bfloat16(static_cast<const uint16_t*>(source), count, destination);
    default:
      std::memcpy(destination, source, static_cast<size_t>(count) * sizeof(float));
  }
}

void narrow(Dtype dtype, const float* source, int64_t count, void* destination) {
  if (count <= 0) return;
  switch (dtype) {
    case Dtype::float16:
      for (int64_t i = 0; i < count; ++i)
        static_cast<Float16*>(destination)[i] = Float16(source[i]);
      return;
    case Dtype::bfloat16:
      for (int64_t i = 0; i < count; ++i) {
        static_cast<BFloat16*>(destination)[i] = BFloat16(source[i]);
      }
      return;
    default:
      std::memcpy(destination, source, static_cast<size_t>(count) * sizeof(float));
  }
}

}  // namespace sprue
