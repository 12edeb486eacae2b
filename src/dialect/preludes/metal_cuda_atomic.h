// Relaxed atomics by CUDA's own, on device and threadgroup memory.
//
// Adding to a float in device memory takes denormals as zeros, which the machine does; everything else has
// the bits of the CPU.
#pragma once

namespace sprue_atomic {

// A volatile access is a relaxed one.
template <typename T>
SPRUE_INLINE T load(const volatile T* object) {
  return *object;
}
template <typename T>
SPRUE_INLINE void store(volatile T* object, T desired) {
  *object = desired;
}

// Four bytes as a word; a bool is one byte of one.
SPRUE_INLINE bool compare_exchange(volatile uint* object, uint& expected, uint desired) {
  const uint found = ::atomicCAS(const_cast<uint*>(object), expected, desired);
  const bool is_equal = found == expected;
  expected = found;
  return is_equal;
}
template <typename T>
SPRUE_INLINE bool compare_exchange(volatile T* object, T& expected, T desired) {
  uint word = __builtin_bit_cast(uint, expected);
  const bool is_equal = compare_exchange(reinterpret_cast<volatile uint*>(object), word,
                                         __builtin_bit_cast(uint, desired));
  expected = __builtin_bit_cast(T, word);
  return is_equal;
}
SPRUE_INLINE bool compare_exchange(volatile bool* object, bool& expected, bool desired) {
  const ulong address = reinterpret_cast<ulong>(object);
  volatile uint* const words = reinterpret_cast<volatile uint*>(address & ~3ul);
  const uint shift = static_cast<uint>(address & 3ul) * 8, others = ~(0xffu << shift);
  uint word = *words;
  for (;;) {
    const bool found = (word >> shift & 0xffu) != 0;
    if (found != expected) {
      expected = found;
      return false;
    }
    if (compare_exchange(words, word, (word & others) | static_cast<uint>(desired) << shift))
      return true;
  }
}

template <typename T>
SPRUE_INLINE T exchange(volatile T* object, T desired) {
  return __builtin_bit_cast(T, ::atomicExch(reinterpret_cast<uint*>(const_cast<T*>(object)),
                                            __builtin_bit_cast(uint, desired)));
}
SPRUE_INLINE bool exchange(volatile bool* object, bool desired) {
  bool found = *object;
  while (!compare_exchange(object, found, desired)) {
  }
  return found;
}

#define SPRUE_FETCH(name, function)                            \
  template <typename T>                                        \
  SPRUE_INLINE T fetch_##name(volatile T* object, T operand) { \
    return ::function(const_cast<T*>(object), operand);        \
  }
SPRUE_FETCH(add, atomicAdd)
SPRUE_FETCH(min, atomicMin)
SPRUE_FETCH(max, atomicMax)
SPRUE_FETCH(and, atomicAnd)
SPRUE_FETCH(or, atomicOr)
SPRUE_FETCH(xor, atomicXor)
#undef SPRUE_FETCH
template <typename T>
SPRUE_INLINE T fetch_sub(volatile T* object, T operand) {
  return fetch_add(object, static_cast<T>(-operand));
}
// CUDA's are of long long, as long as a long.
SPRUE_INLINE ulong fetch_min(volatile ulong* object, ulong operand) {
  return ::atomicMin(reinterpret_cast<unsigned long long*>(const_cast<ulong*>(object)),
                     static_cast<unsigned long long>(operand));
}
SPRUE_INLINE ulong fetch_max(volatile ulong* object, ulong operand) {
  return ::atomicMax(reinterpret_cast<unsigned long long*>(const_cast<ulong*>(object)),
                     static_cast<unsigned long long>(operand));
}

SPRUE_INLINE void fence(int order, metal::thread_scope scope) {
  if (order == metal::memory_order_relaxed || scope == metal::thread_scope_thread) return;
  if (scope == metal::thread_scope_system)
    ::__threadfence_system();
  else if (scope == metal::thread_scope_device)
    ::__threadfence();
  else
    ::__threadfence_block();
}

}  // namespace sprue_atomic
