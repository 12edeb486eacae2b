// Relaxed atomics on device and threadgroup memory: threadgroups of one launch run on several threads.
//
//   atomic_fetch_add_explicit((device atomic_uint*)&counts[bin], 1u, memory_order_relaxed);
//
// What there is, is what Metal has: int and uint with everything; float without minimum, maximum and
// bits; bool to load, store, exchange and compare; ulong to lower and to raise, without a result. Nothing
// else than memory_order_relaxed, but for the fence. How is the target's: metal_atomic_cpu.h,
// metal_cuda_atomic.h.
#pragma once

namespace metal {

// The numbers are those of the compilers' own orders.
enum memory_order { memory_order_relaxed = 0 };
// The others are of a type of their own, so that an atomic function can tell.
enum fence_memory_order {
  memory_order_acquire = 2,
  memory_order_release = 3,
  memory_order_acq_rel = 4,
  memory_order_seq_cst = 5
};
enum thread_scope {
  thread_scope_thread,
  thread_scope_simdgroup,
  thread_scope_threadgroup,
  thread_scope_device,
  thread_scope_system
};

}  // namespace metal

namespace sprue_atomic {

// No part of deduction: `atomic_store_explicit(&counter, 0, ...)` on a uint.
template <typename T>
struct operand {
  typedef T type;
};

template <typename T>
constexpr bool is_atomic = SPRUE_IS_SAME(T, int) || SPRUE_IS_SAME(T, uint) ||
                           SPRUE_IS_SAME(T, ulong) || SPRUE_IS_SAME(T, float) ||
                           SPRUE_IS_SAME(T, bool);
template <typename T>
constexpr bool is_whole = SPRUE_IS_SAME(T, int) || SPRUE_IS_SAME(T, uint);
template <typename T>
constexpr bool is_summed = is_whole<T> || SPRUE_IS_SAME(T, float);
template <typename T>
constexpr bool is_stored = is_summed<T> || SPRUE_IS_SAME(T, bool);
template <typename T>
constexpr bool is_long = SPRUE_IS_SAME(T, ulong);

}  // namespace sprue_atomic

#if defined(__CUDACC_RTC__)
#include "metal_cuda_atomic.h"
#else
#include "metal_atomic_cpu.h"
#endif

namespace metal {

template <typename T>
struct atomic {
  static_assert(sprue_atomic::is_atomic<T>, "atomic<T> is for int, uint, ulong, float and bool");
  T value;
};
typedef atomic<int> atomic_int;
typedef atomic<uint> atomic_uint;
typedef atomic<ulong> atomic_ulong;
typedef atomic<float> atomic_float;
typedef atomic<bool> atomic_bool;

// A mistake is one error at the user's line: nothing is built on a type that doesn't fit.
#define SPRUE_ATOMIC_CHECK(name, kind, types)                                              \
  static_assert(sprue_atomic::is_##kind<T>, #name " takes a pointer to an atomic " types); \
  static_assert(SPRUE_IS_SAME(Order, memory_order),                                        \
                #name " takes memory_order_relaxed, the only order that Metal's atomics have")
#define SPRUE_ATOMIC_STORED(name) SPRUE_ATOMIC_CHECK(name, stored, "int, uint, float or bool")

template <typename T, typename Order>
SPRUE_INLINE T atomic_load_explicit(const volatile atomic<T>* object, Order) {
  SPRUE_ATOMIC_STORED(atomic_load_explicit);
  if constexpr (sprue_atomic::is_stored<T>) return sprue_atomic::load(&object->value);
  return T{};
}

template <typename T, typename Order>
SPRUE_INLINE void atomic_store_explicit(volatile atomic<T>* object,
                                        typename sprue_atomic::operand<T>::type desired, Order) {
  SPRUE_ATOMIC_STORED(atomic_store_explicit);
  if constexpr (sprue_atomic::is_stored<T>) sprue_atomic::store(&object->value, desired);
}

template <typename T, typename Order>
SPRUE_INLINE T atomic_exchange_explicit(volatile atomic<T>* object,
                                        typename sprue_atomic::operand<T>::type desired, Order) {
  SPRUE_ATOMIC_STORED(atomic_exchange_explicit);
  if constexpr (sprue_atomic::is_stored<T>) return sprue_atomic::exchange(&object->value, desired);
  return T{};
}

// Compares bits, as Metal does: a NaN equals itself, and -0 isn't 0. It never fails for no reason.
template <typename T, typename Order, typename Failure>
SPRUE_INLINE bool atomic_compare_exchange_weak_explicit(
    volatile atomic<T>* object, T* expected, typename sprue_atomic::operand<T>::type desired, Order,
    Failure) {
  SPRUE_ATOMIC_STORED(atomic_compare_exchange_weak_explicit);
  static_assert(SPRUE_IS_SAME(Failure, memory_order) || !SPRUE_IS_SAME(Order, memory_order),
                "atomic_compare_exchange_weak_explicit takes memory_order_relaxed, the only order "
                "that Metal's atomics have");
  if constexpr (sprue_atomic::is_stored<T>)
    return sprue_atomic::compare_exchange(&object->value, *expected, desired);
  return false;
}

#define SPRUE_ATOMIC_FETCH(name, kind, types)                                               \
  template <typename T, typename Order>                                                     \
  SPRUE_INLINE T atomic_fetch_##name##_explicit(                                            \
      volatile atomic<T>* object, typename sprue_atomic::operand<T>::type operand, Order) { \
    SPRUE_ATOMIC_CHECK(atomic_fetch_##name##_explicit, kind, types);                        \
    if constexpr (sprue_atomic::is_##kind<T>)                                               \
      return sprue_atomic::fetch_##name(&object->value, operand);                           \
    return operand;                                                                         \
  }
SPRUE_ATOMIC_FETCH(add, summed, "int, uint or float")
SPRUE_ATOMIC_FETCH(sub, summed, "int, uint or float")
SPRUE_ATOMIC_FETCH(min, whole, "int or uint")
SPRUE_ATOMIC_FETCH(max, whole, "int or uint")
SPRUE_ATOMIC_FETCH(and, whole, "int or uint")
SPRUE_ATOMIC_FETCH(or, whole, "int or uint")
SPRUE_ATOMIC_FETCH(xor, whole, "int or uint")
#undef SPRUE_ATOMIC_FETCH

#define SPRUE_ATOMIC_MODIFY(name)                                                                \
  template <typename T, typename Order>                                                          \
  SPRUE_INLINE void atomic_##name##_explicit(                                                    \
      volatile atomic<T>* object, typename sprue_atomic::operand<T>::type operand, Order) {      \
    SPRUE_ATOMIC_CHECK(atomic_##name##_explicit, long, "ulong");                                 \
    if constexpr (sprue_atomic::is_long<T>) sprue_atomic::fetch_##name(&object->value, operand); \
  }
SPRUE_ATOMIC_MODIFY(min)
SPRUE_ATOMIC_MODIFY(max)
#undef SPRUE_ATOMIC_MODIFY
#undef SPRUE_ATOMIC_STORED
#undef SPRUE_ATOMIC_CHECK

// Of Metal 3.2. The flags ask for less than all memory; here it is always all.
template <typename Order>
SPRUE_INLINE void atomic_thread_fence(mem_flags, Order order,
                                      thread_scope scope = thread_scope_device) {
  sprue_atomic::fence(static_cast<int>(order), scope);
}

}  // namespace metal
