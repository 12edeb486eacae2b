// What CUDA has and a CPU lacks: each is an error at the user's line that names it.
#pragma once

#define SPRUE_ABSENT(declaration, what) SPRUE_UNAVAILABLE(what " isn't available") declaration;
SPRUE_ABSENT(int printf(const char*, ...), "printf")
SPRUE_ABSENT(void* malloc(size_t), "malloc")
SPRUE_ABSENT(void free(void*), "free")
SPRUE_ABSENT(void __trap(), "__trap")
SPRUE_ABSENT(void __brkpt(), "__brkpt")
SPRUE_ABSENT(void __nanosleep(unsigned int), "__nanosleep")
SPRUE_ABSENT(long clock(), "clock")
SPRUE_ABSENT(long long clock64(), "clock64")
SPRUE_ABSENT(unsigned long long __globaltimer(), "__globaltimer")
namespace sprue_cuda {
SPRUE_ABSENT(void assert_is_absent(bool), "assert")
}
#define assert(...) sprue_cuda::assert_is_absent(__VA_ARGS__)

typedef unsigned long long cudaTextureObject_t
    __attribute__((unavailable("textures aren't available on the CPU")));
typedef unsigned long long cudaSurfaceObject_t
    __attribute__((unavailable("surfaces aren't available on the CPU")));
#define SPRUE_ABSENT_TEXTURE(name)            \
  template <typename T, typename... U>        \
  SPRUE_UNAVAILABLE(#name " isn't available") \
  T name(U...);
SPRUE_ABSENT_TEXTURE(tex1Dfetch)
SPRUE_ABSENT_TEXTURE(tex1D)
SPRUE_ABSENT_TEXTURE(tex2D)
SPRUE_ABSENT_TEXTURE(tex3D)
SPRUE_ABSENT_TEXTURE(surf2Dread)
#undef SPRUE_ABSENT_TEXTURE

// Shuffles and votes without a mask, which CUDA itself no longer has.
#define SPRUE_ABSENT_SHUFFLE(name)                                \
  template <typename... U>                                        \
  SPRUE_UNAVAILABLE(#name " isn't available; use " #name "_sync") \
  int name(U...);
SPRUE_ABSENT_SHUFFLE(__shfl)
SPRUE_ABSENT_SHUFFLE(__shfl_up)
SPRUE_ABSENT_SHUFFLE(__shfl_down)
SPRUE_ABSENT_SHUFFLE(__shfl_xor)
SPRUE_ABSENT_SHUFFLE(__any)
SPRUE_ABSENT_SHUFFLE(__all)
SPRUE_ABSENT_SHUFFLE(__ballot)
#undef SPRUE_ABSENT_SHUFFLE
#undef SPRUE_ABSENT
