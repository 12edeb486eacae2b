// What the shared text of the prelude takes from its target, on the CPU: clang's words for inlining,
// types' kinds and bits, and half. metal_cuda_target.h is the same for CUDA.
#pragma once

#define SPRUE_INLINE static inline __attribute__((always_inline))
#define SPRUE_MEMBER inline __attribute__((always_inline))
#define SPRUE_COPY_BYTES __builtin_memcpy

#define SPRUE_IS_SAME(A, B) __is_same(A, B)
#define SPRUE_IS_INTEGRAL(T) __is_integral(T)
#define SPRUE_IS_ARITHMETIC(T) __is_arithmetic(T)
#define SPRUE_INFINITY __builtin_inff()
#define SPRUE_NAN __builtin_nanf("")

// All functions: here they cost next to nothing.
#ifndef SPRUE_WITH_ELEMENTARY
#define SPRUE_WITH_ELEMENTARY
#endif

// Each operation on half rounds to half (-ffloat16-excess-precision=none), as on a GPU.
typedef _Float16 half;
SPRUE_INLINE constexpr half operator""h(long double value) { return static_cast<half>(value); }

// bfloat is the only number that is a class, and rounds by integer arithmetic.
#define SPRUE_IS_CLASS_NUMBER(T) SPRUE_IS_SAME(T, bfloat)
#define SPRUE_NUMBER_OPERATION(T, a, op, b, name) T(static_cast<float>(a) op static_cast<float>(b))
#define SPRUE_NEGATED(T, a) T(-static_cast<float>(a))
#define SPRUE_ROUND_BY_DEVICE(value)
#define SPRUE_COMPLEX_CONVERSIONS

namespace sprue_types {
// Through double, where the product and nearly every sum are exact: one rounding to half.
SPRUE_INLINE half fused(half a, half b, half c) {
  return static_cast<half>(static_cast<double>(a) * static_cast<double>(b) +
                           static_cast<double>(c));
}
}  // namespace sprue_types
