// Barriers and simdgroup collectives on the CPU.
//
// A collective writes the lane's value into the simdgroup, names the function that combines them, and
// waits. The executor calls that function once, for the lanes that wait at the same site, and resumes
// them. Lanes that have returned or wait elsewhere take no part.
#pragma once

extern "C" SprueThread* __sprue_thread();
extern "C" void __sprue_yield(sprue_u32* site);

namespace metal {

struct mem_flags {
  enum flags { mem_none = 0, mem_device = 1, mem_threadgroup = 2, mem_texture = 4 };
  flags value;
  SPRUE_MEMBER constexpr mem_flags(flags value_) : value(value_) {}
};
SPRUE_INLINE constexpr mem_flags operator|(mem_flags::flags a, mem_flags::flags b) {
  return mem_flags(static_cast<mem_flags::flags>(static_cast<int>(a) | static_cast<int>(b)));
}
// Both spellings are in use: mem_flags::mem_threadgroup and mem_threadgroup.
static constexpr mem_flags::flags mem_none = mem_flags::mem_none;
static constexpr mem_flags::flags mem_device = mem_flags::mem_device;
static constexpr mem_flags::flags mem_threadgroup = mem_flags::mem_threadgroup;

SPRUE_INLINE void threadgroup_barrier(mem_flags) {
  SprueThread* thread = __sprue_thread();
  thread->state = kSprueBarrier;
  __sprue_yield(&thread->site);
}

}  // namespace metal

namespace sprue_simdgroup {

template <typename T>
SPRUE_INLINE T lane_value(const SprueSimdgroup* simdgroup, uint lane) {
  T value;
  __builtin_memcpy(&value, &simdgroup->values[lane], sizeof(T));
  return value;
}

template <typename T>
SPRUE_INLINE void set_lane_value(SprueSimdgroup* simdgroup, uint lane, T value) {
  __builtin_memcpy(&simdgroup->values[lane], &value, sizeof(T));
}

template <typename Combine, typename T>
SPRUE_INLINE T collective(T value) {
  static_assert(sizeof(T) <= 8, "a lane's value is at most 8 bytes");
  SprueThread* thread = __sprue_thread();
  const uint lane = thread->index % 32;
  set_lane_value(thread->simdgroup, lane, value);
  thread->combine = &Combine::run;
  thread->state = kSprueCollective;
  __sprue_yield(&thread->site);
  return lane_value<T>(thread->simdgroup, lane);
}

struct Nothing {
  static void run(SprueSimdgroup*, sprue_u32) {}
};

// Reduction as a butterfly by XOR 16, 8, 4, 2, 1 with missing lanes as the identity. Each step adds
// the same two values on both lanes of a pair, so the lower half alone gives every lane's result: the
// same bits as shuffles on a GPU.
template <typename T, typename Operation>
struct Reduce {
  static void run(SprueSimdgroup* simdgroup, sprue_u32 lanes) {
    T values[32];
    for (uint lane = 0; lane < 32; ++lane)
      values[lane] =
          lanes >> lane & 1u ? lane_value<T>(simdgroup, lane) : Operation::template identity<T>();
    for (uint step = 16; step > 0; step /= 2)
      for (uint lane = 0; lane < step; ++lane)
        values[lane] = Operation::apply(values[lane], values[lane + step]);
    for (uint lane = 0; lane < 32; ++lane)
      if (lanes >> lane & 1u) set_lane_value(simdgroup, lane, values[0]);
  }
};

// -0 is the sum's identity: -0 + -0 is -0, and 0 would lose the sign.
template <typename T>
struct Sign {
  static constexpr T negative_zero() { return T(0); }
};
template <>
struct Sign<float> {
  static constexpr float negative_zero() { return -0.0f; }
};
template <>
struct Sign<half> {
  static constexpr half negative_zero() { return static_cast<half>(-0.0f); }
};

struct Sum {
  template <typename T>
  static constexpr T identity() {
    return Sign<T>::negative_zero();
  }
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a + b);
  }
};

// Limits of T as bit patterns: the prelude has no std::numeric_limits.
template <typename T, bool = __is_integral(T)>
struct Limit {
  static constexpr T lowest() { return T(-__builtin_inff()); }
  static constexpr T highest() { return T(__builtin_inff()); }
};
template <typename T>
struct Limit<T, true> {
  static constexpr bool is_signed = T(-1) < T(0);
  static constexpr T highest() {
    return is_signed ? T(~(1ull << (8 * sizeof(T) - 1)) & (~0ull >> (64 - 8 * sizeof(T))))
                     : T(~0ull);
  }
  static constexpr T lowest() { return is_signed ? T(T(-1) - highest()) : T(0); }
};

struct Maximum {
  template <typename T>
  static constexpr T identity() {
    return Limit<T>::lowest();
  }
  template <typename T>
  static T apply(T a, T b) {
    return metal::max(a, b);
  }
};

struct Minimum {
  template <typename T>
  static constexpr T identity() {
    return Limit<T>::highest();
  }
  template <typename T>
  static T apply(T a, T b) {
    return metal::min(a, b);
  }
};

}  // namespace sprue_simdgroup

namespace metal {

// Waits for the lanes of the simdgroup; a collective without a value.
SPRUE_INLINE void simdgroup_barrier(mem_flags) {
  sprue_simdgroup::collective<sprue_simdgroup::Nothing>(0u);
}

// bfloat goes through float, as MLX does it.
#define SPRUE_REDUCTION(name, operation)                                                        \
  template <typename T>                                                                         \
  SPRUE_INLINE typename sprue_types::enable_if<!__is_same(T, bfloat), T>::type name(T value) {  \
    static_assert((__is_arithmetic(T) && !__is_same(T, bool)) || __is_same(T, half),            \
                  #name " takes an integer or a floating-point number");                        \
    return sprue_simdgroup::collective<sprue_simdgroup::Reduce<T, sprue_simdgroup::operation>>( \
        value);                                                                                 \
  }                                                                                             \
  template <typename B>                                                                         \
  SPRUE_INLINE sprue_types::for_bfloat<B, B> name(B value) {                                    \
    return B(metal::name(static_cast<float>(value)));                                           \
  }
SPRUE_REDUCTION(simd_sum, Sum)
SPRUE_REDUCTION(simd_max, Maximum)
SPRUE_REDUCTION(simd_min, Minimum)
#undef SPRUE_REDUCTION

}  // namespace metal
