// NVIDIA's run-time compiler, opened when it is first needed: nothing of CUDA is needed to build or start
// the program.
//
//   SPRUE_ASSIGN(const NvrtcLibrary* nvrtc, nvrtc_library());
//   nvrtc->version();    // 13.0
//
// Looked for at $SPRUE_NVRTC where that isn't empty (a file; nothing else is tried then); by the loader as
// libnvrtc.so.13 and .12; in $CUDA_HOME, $CUDA_PATH and /usr/local/cuda (lib64, lib); and where the packages
// nvidia-cuda-nvrtc and nvidia-cuda-nvrtc-cu12 put it, in the site-packages of $VIRTUAL_ENV and of the system.
// Never closed. Errors: unavailable, with what was tried. Thread-safe.
#pragma once

#include <string>

#include "base/result.h"

namespace sprue {

struct NvrtcProgram;  // NVRTC's own

// The functions that we call, as nvrtc.h declares them (CUDA 12 and 13): 0 is success.
struct NvrtcLibrary {
  int (*version)(int* major, int* minor);
  const char* (*error_string)(int result);
  int (*create_program)(NvrtcProgram** program, const char* text, const char* name,
                        int header_count, const char* const* headers,
                        const char* const* header_names);
  int (*destroy_program)(NvrtcProgram** program);
  int (*compile_program)(NvrtcProgram* program, int option_count, const char* const* options);
  int (*ptx_size)(NvrtcProgram* program, size_t* size);
  int (*ptx)(NvrtcProgram* program, char* text);
  int (*cubin_size)(NvrtcProgram* program, size_t* size);
  int (*cubin)(NvrtcProgram* program, char* bytes);
  int (*log_size)(NvrtcProgram* program, size_t* size);
  int (*log)(NvrtcProgram* program, char* text);
  std::string path;      // that the loader opened
  std::string identity;  // "nvrtc 13.0"
};

Result<const NvrtcLibrary*> nvrtc_library();

}  // namespace sprue
