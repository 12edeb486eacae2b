/* C interface of libsprue-clang.so: kernel text in, shared object out, or the text on the way there. The
 * library holds clang, LLVM and LLD with hidden symbols; it is opened when the first kernel is compiled
 * and never closed. All functions are thread-safe. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SPRUE_CLANG_ABI_VERSION 3

typedef struct {
  const char* name; /* how #include and diagnostics name it */
  const char* text;
  size_t size; /* bytes */
} sprue_clang_file;

enum { SPRUE_CLANG_MATH_SAFE, SPRUE_CLANG_MATH_RELAXED, SPRUE_CLANG_MATH_FAST };
enum { SPRUE_CLANG_METAL, SPRUE_CLANG_CUDA };
enum { SPRUE_CLANG_OPTIMIZATION_STANDARD, SPRUE_CLANG_OPTIMIZATION_FAST };
enum {
  SPRUE_CLANG_SHARED_OBJECT,
  SPRUE_CLANG_LLVM_IR,  /* text, after the optimiser */
  SPRUE_CLANG_ASSEMBLY, /* text */
  SPRUE_CLANG_CHECK     /* nothing: the front end's diagnostics alone */
};

/* A file of this name, with one of the request's user_files behind it, is the user's own text. */
#define SPRUE_CLANG_USER_TEXT "user text:"
/* A file of this name, with what #include spells behind it, is a header of the user's own, lowered. */
#define SPRUE_CLANG_USER_HEADER "user header:"

typedef struct {
  const sprue_clang_file* files; /* files[0] is the translation unit, the others are headers */
  size_t file_count;
  const char* architecture;      /* "native", "x86-64-v3", ... */
  const char* const* user_files; /* names in #line directives that belong to the user */
  size_t user_file_count;
  int math;
  int optimization;
  int output;
  unsigned parameter_count; /* of the kernel's signature, for SprueKernelInfo */
  int dialect;              /* of the user's text: which rules it is held to */
} sprue_clang_request;

enum { SPRUE_CLANG_ERROR, SPRUE_CLANG_WARNING, SPRUE_CLANG_NOTE };

typedef struct {
  int severity;
  const char* file; /* a user's file; "" if the place isn't in one */
  unsigned line;    /* 1-based; 0 if unknown */
  unsigned column;  /* 1-based, bytes; 0 if unknown */
  const char* message;
} sprue_clang_diagnostic;

enum {
  SPRUE_CLANG_FRONT_END,
  SPRUE_CLANG_OPTIMIZE,
  SPRUE_CLANG_EMIT,
  SPRUE_CLANG_LINK,
  SPRUE_CLANG_STEPS
};

typedef struct {
  int ok;
  const char* bytes; /* the shared object or the text */
  size_t size;
  const sprue_clang_diagnostic* diagnostics;
  size_t diagnostic_count;
  const char* processor; /* what "native" was: "sapphirerapids" */
  double milliseconds[SPRUE_CLANG_STEPS];
  void* storage; /* the library's own */
} sprue_clang_result;

/* The last diagnostic of a compile in which clang crashed, and of each one after it in the same process:
 * what is inside of clang can't be trusted any more. Both have no file. */
#define SPRUE_CLANG_CRASHED "the compiler crashed on this kernel"
#define SPRUE_CLANG_REFUSED \
  "the compiler crashed earlier in this process and can't be trusted any more"

/* Address space that a compile takes for its stack. clang recurses once a level of nesting, and a level
 * may take one byte of text (`!!!!x`). Only the part that is used takes memory. */
static inline size_t sprue_clang_stack_bytes(size_t text_bytes) {
  const size_t smallest = (size_t)64 << 20, largest = (size_t)2 << 30, per_text_byte = 8 << 10;
  if (text_bytes > (largest - smallest) / per_text_byte) return largest;
  return smallest + text_bytes * per_text_byte;
}

/* Returns result->ok. The result is the caller's until sprue_clang_free. */
int sprue_clang_compile(const sprue_clang_request* request, sprue_clang_result* result);
void sprue_clang_free(sprue_clang_result* result);
const char* sprue_clang_version(void); /* "clang 19.1.7" */
int sprue_clang_abi(void);             /* SPRUE_CLANG_ABI_VERSION of the library */

#ifdef __cplusplus
}
#endif
