// What the shared text of the prelude takes from its target, under NVRTC: the counterpart of
// metal_target_cpu.h. half is in metal_cuda_half.h. No header of the toolkit is included.
#pragma once

#define SPRUE_INLINE static __device__ __forceinline__
#define SPRUE_MEMBER __device__ __forceinline__
#define SPRUE_COPY_BYTES ::memcpy

// NVRTC has no builtins for these.
#define SPRUE_IS_SAME(A, B) bool(sprue_types::sameness<A, B>::value)
#define SPRUE_IS_INTEGRAL(T) bool(sprue_types::integrality<T>::value)
#define SPRUE_IS_ARITHMETIC(T) (SPRUE_IS_INTEGRAL(T) || SPRUE_IS_SAME(T, float))
#define SPRUE_INFINITY __builtin_bit_cast(float, 0x7f800000u)
#define SPRUE_NAN __builtin_bit_cast(float, 0x7fc00000u)

// sincos
#if defined(SPRUE_WITH_COMMON) && !defined(SPRUE_WITH_ELEMENTARY)
#define SPRUE_WITH_ELEMENTARY
#endif

#define SPRUE_IS_CLASS_NUMBER(T) (SPRUE_IS_SAME(T, half) || SPRUE_IS_SAME(T, bfloat))
#define SPRUE_NUMBER_OPERATION(T, a, op, b, name) sprue_types::name(a, b)
#define SPRUE_NEGATED(T, a) sprue_types::negated(a)
// A converted bfloat: one instruction where the compiler doesn't compute the value itself.
#define SPRUE_ROUND_BY_DEVICE(value)                             \
  if (!__builtin_is_constant_evaluated()) {                      \
    unsigned short nearest;                                      \
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(nearest) : "f"(value)); \
    return nearest;                                              \
  }
// half is a class here, which becomes complex64_t unasked as a float does.
#define SPRUE_COMPLEX_CONVERSIONS                                                                 \
  template <typename H, typename = typename sprue_types::enable_if<SPRUE_IS_SAME(H, half)>::type> \
  SPRUE_MEMBER constexpr complex64_t(H real_part) : complex64_t(static_cast<float>(real_part)) {}

namespace sprue_types {

// Enumerators: of a constant NVRTC would keep a variable in the kernel's file.
template <typename A, typename B>
struct sameness {
  enum : bool { value = false };
};
template <typename A>
struct sameness<A, A> {
  enum : bool { value = true };
};

template <typename T>
struct integrality {
  enum : bool { value = false };
};
#define SPRUE_INTEGRAL(T) \
  template <>             \
  struct integrality<T> : sameness<T, T> {};
SPRUE_INTEGRAL(bool)
SPRUE_INTEGRAL(char)
SPRUE_INTEGRAL(signed char)
SPRUE_INTEGRAL(unsigned char)
SPRUE_INTEGRAL(short)
SPRUE_INTEGRAL(unsigned short)
SPRUE_INTEGRAL(int)
SPRUE_INTEGRAL(unsigned int)
SPRUE_INTEGRAL(long)
SPRUE_INTEGRAL(unsigned long)
SPRUE_INTEGRAL(long long)
SPRUE_INTEGRAL(unsigned long long)
#undef SPRUE_INTEGRAL

}  // namespace sprue_types
