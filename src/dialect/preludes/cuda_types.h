// CUDA's words and plain types on a clang target: qualifiers, integers of fixed size, vectors, dim3.
// Included by cuda_cpu.h; includes nothing, so that a compile stays short.
//
// Vectors are what CUDA has: structures with CUDA's alignment and without operators.
#pragma once

#define SPRUE_INLINE static inline __attribute__((always_inline))
#define SPRUE_MEMBER inline __attribute__((always_inline))
#define SPRUE_UNAVAILABLE(what) __attribute__((unavailable(what " on the CPU")))

#define __host__
#define __device__
#define __global__
#define __noinline__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __constant__ const
// Shared memory: passes collect the variables of this section and place them in the arena, those without
// storage of their own (`extern __shared__`) behind the others. dialect/cuda/cuda_lowering.h.
#define SPRUE_DYN __attribute__((section(".sprue_threadgroup")))
#define __shared__ static SPRUE_DYN
#define SPRUE_A(...) __attribute__((aligned(__VA_ARGS__)))

typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#define NULL nullptr

// Names begin with the type that CUDA's do: make_float4, float4.
#define SPRUE_CUDA_VECTORS(name, T, align2, align4)                                  \
  struct name##1 {                                                                   \
    T x;                                                                             \
  };                                                                                 \
  struct __attribute__((aligned(align2))) name##2 {                                  \
    T x, y;                                                                          \
  };                                                                                 \
  struct name##3 {                                                                   \
    T x, y, z;                                                                       \
  };                                                                                 \
  struct __attribute__((aligned(align4))) name##4 {                                  \
    T x, y, z, w;                                                                    \
  };                                                                                 \
  SPRUE_INLINE constexpr name##1 make_##name##1(T x) { return {x}; }                 \
  SPRUE_INLINE constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }         \
  SPRUE_INLINE constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
  SPRUE_INLINE constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
SPRUE_CUDA_VECTORS(char, signed char, 2, 4)
SPRUE_CUDA_VECTORS(uchar, unsigned char, 2, 4)
SPRUE_CUDA_VECTORS(short, short, 4, 8)
SPRUE_CUDA_VECTORS(ushort, unsigned short, 4, 8)
SPRUE_CUDA_VECTORS(int, int, 8, 16)
SPRUE_CUDA_VECTORS(uint, unsigned int, 8, 16)
SPRUE_CUDA_VECTORS(long, long, 16, 16)
SPRUE_CUDA_VECTORS(ulong, unsigned long, 16, 16)
SPRUE_CUDA_VECTORS(longlong, long long, 16, 16)
SPRUE_CUDA_VECTORS(ulonglong, unsigned long long, 16, 16)
SPRUE_CUDA_VECTORS(float, float, 8, 16)
SPRUE_CUDA_VECTORS(double, double, 16, 16)
#undef SPRUE_CUDA_VECTORS

struct dim3 {
  unsigned int x, y, z;

  SPRUE_MEMBER constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
      : x(x_), y(y_), z(z_) {}
  SPRUE_MEMBER constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  SPRUE_MEMBER constexpr operator uint3() const { return {x, y, z}; }
};

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VALF __builtin_inff()
#define HUGE_VAL __builtin_inf()
#define CUDART_INF_F __builtin_inff()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_INF __builtin_inf()
#define CUDART_NAN __builtin_nan("")
#define CUDART_PI_F 3.141592654f
#define CUDART_MAX_NORMAL_F 0x1.fffffep127f
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1.0p-126f
#define FLT_EPSILON 0x1.0p-23f
#define DBL_MAX 0x1.fffffffffffffp1023
#define DBL_MIN 0x1.0p-1022
#define DBL_EPSILON 0x1.0p-52
#define CHAR_BIT 8
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define ULLONG_MAX 18446744073709551615ULL
#define INT8_MAX 127
#define INT8_MIN (-128)
#define UINT8_MAX 255
#define INT16_MAX 32767
#define INT16_MIN (-32768)
#define UINT16_MAX 65535
#define INT32_MAX INT_MAX
#define INT32_MIN INT_MIN
#define UINT32_MAX UINT_MAX
#define INT64_MAX 9223372036854775807L
#define INT64_MIN (-9223372036854775807L - 1)
#define UINT64_MAX 18446744073709551615UL
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_1_PI 0.31830988618379067154
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
