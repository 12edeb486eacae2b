// CUDA's atomic functions: relaxed, on global and shared memory. Blocks of one launch run on several threads.
//
// The types are CUDA's: int, unsigned and unsigned long long with everything; float and double to add (and
// float to exchange); half and bfloat, single or in pairs, to add. A scope in the name makes no difference.
#pragma once

namespace sprue_cuda {

// `Bits` as wide as T; change(T) makes the new value. Returns the old one.
template <typename Bits, typename T, typename Change>
SPRUE_INLINE T modify(T* address, Change change) {
  static_assert(sizeof(Bits) == sizeof(T), "the bits of T");
  Bits* word = reinterpret_cast<Bits*>(address);
  Bits seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  for (;;) {
    const Bits wanted = __builtin_bit_cast(Bits, change(__builtin_bit_cast(T, seen)));
    if (__atomic_compare_exchange_n(word, &seen, wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return __builtin_bit_cast(T, seen);
  }
}

}  // namespace sprue_cuda

// One function and its two scopes.
#define SPRUE_ATOMIC(name, T, body)                                                           \
  SPRUE_INLINE T atomic##name(T* address, T value){body} SPRUE_INLINE T atomic##name##_block( \
      T* address, T value){body} SPRUE_INLINE T atomic##name##_system(T* address, T value) {  \
    body                                                                                      \
  }
#define SPRUE_ATOMIC_FETCH(name, T, fetch) \
  SPRUE_ATOMIC(name, T, return __atomic_fetch_##fetch(address, value, __ATOMIC_RELAXED);)
#define SPRUE_ATOMIC_INTEGER(T)                                                        \
  SPRUE_ATOMIC_FETCH(Add, T, add)                                                      \
  SPRUE_ATOMIC_FETCH(Min, T, min)                                                      \
  SPRUE_ATOMIC_FETCH(Max, T, max)                                                      \
  SPRUE_ATOMIC_FETCH(And, T, and)                                                      \
  SPRUE_ATOMIC_FETCH(Or, T, or)                                                        \
  SPRUE_ATOMIC_FETCH(Xor, T, xor)                                                      \
  SPRUE_ATOMIC(Exch, T, return __atomic_exchange_n(address, value, __ATOMIC_RELAXED);) \
  SPRUE_ATOMIC_COMPARE(T, atomicCAS)                                                   \
  SPRUE_ATOMIC_COMPARE(T, atomicCAS_block)                                             \
  SPRUE_ATOMIC_COMPARE(T, atomicCAS_system)
#define SPRUE_ATOMIC_COMPARE(T, name)                                              \
  SPRUE_INLINE T name(T* address, T compare, T value) {                            \
    __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED, \
                                __ATOMIC_RELAXED);                                 \
    return compare;                                                                \
  }
SPRUE_ATOMIC_INTEGER(int)
SPRUE_ATOMIC_INTEGER(unsigned int)
SPRUE_ATOMIC_INTEGER(unsigned long long)
SPRUE_ATOMIC_COMPARE(unsigned short, atomicCAS)
SPRUE_ATOMIC_FETCH(Min, long long, min)
SPRUE_ATOMIC_FETCH(Max, long long, max)
SPRUE_ATOMIC_FETCH(And, long long, and)
SPRUE_ATOMIC_FETCH(Or, long long, or)
SPRUE_ATOMIC_FETCH(Xor, long long, xor)
SPRUE_ATOMIC_FETCH(Sub, int, sub)
SPRUE_ATOMIC_FETCH(Sub, unsigned int, sub)
SPRUE_ATOMIC_FETCH(Add, float, add)
SPRUE_ATOMIC_FETCH(Add, double, add)
SPRUE_ATOMIC(Exch, float,
             return __builtin_bit_cast(float,
                                       __atomic_exchange_n(reinterpret_cast<unsigned int*>(address),
                                                           __builtin_bit_cast(unsigned int, value),
                                                           __ATOMIC_RELAXED));)
// Counts up to `value` and begins again at 0; down from it, and from anything above it.
SPRUE_ATOMIC(Inc, unsigned int,
             return sprue_cuda::modify<unsigned int>(address, [=](unsigned int old) {
               return old >= value ? 0u : old + 1u;
             });)
SPRUE_ATOMIC(Dec, unsigned int,
             return sprue_cuda::modify<unsigned int>(address, [=](unsigned int old) {
               return old == 0 || old > value ? value : old - 1u;
             });)
#ifdef SPRUE_WITH_HALF
SPRUE_ATOMIC(Add, __half, return sprue_cuda::modify<unsigned short>(address, [=](__half old) {
               return old + value;
             });)
SPRUE_ATOMIC(Add, __nv_bfloat16,
             return sprue_cuda::modify<unsigned short>(address, [=](__nv_bfloat16 old) {
               return old + value;
             });)
SPRUE_ATOMIC(Add, __half2, return sprue_cuda::modify<unsigned int>(address, [=](__half2 old) {
               return old + value;
             });)
SPRUE_ATOMIC(Add, __nv_bfloat162,
             return sprue_cuda::modify<unsigned int>(address, [=](__nv_bfloat162 old) {
               return old + value;
             });)
#endif
#undef SPRUE_ATOMIC_COMPARE
#undef SPRUE_ATOMIC_INTEGER
#undef SPRUE_ATOMIC_FETCH
#undef SPRUE_ATOMIC
