#include "compile/nvrtc/nvrtc_library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <vector>

namespace sprue {

namespace {

namespace fs = std::filesystem;

constexpr const char* kNames[] = {"libnvrtc.so.13", "libnvrtc.so.12"};

void add_folder(std::vector<std::string>& places, const fs::path& folder) {
  std::error_code ignored;
  for (const char* name : kNames)
    if (fs::exists(folder / name, ignored)) places.push_back((folder / name).string());
}

// The packages of PyPI keep libraries below site-packages/nvidia.
void add_site_packages(std::vector<std::string>& places, const fs::path& prefix) {
  std::error_code ignored;
  for (const auto& version : fs::directory_iterator(prefix / "lib", ignored)) {
    if (!version.path().filename().string().starts_with("python3")) continue;
    for (const char* packages : {"site-packages", "dist-packages"})
      for (const char* folder : {"nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib"})
        add_folder(places, version.path() / packages / folder);
  }
}

std::vector<std::string> library_places() {
  if (const char* given = std::getenv("SPRUE_NVRTC"); given && *given) return {given};
  std::vector<std::string> places(std::begin(kNames), std::end(kNames));
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* home = std::getenv(variable))
      for (const char* folder : {"lib64", "lib"}) add_folder(places, fs::path(home) / folder);
  for (const char* folder : {"lib64", "lib"})
    add_folder(places, fs::path("/usr/local/cuda") / folder);
  if (const char* environment = std::getenv("VIRTUAL_ENV")) add_site_packages(places, environment);
  add_site_packages(places, "/usr/local");
  add_site_packages(places, "/usr");
  return places;
}

template <typename Function>
bool find(void* handle, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(handle, name));
  return function;
}

bool find_functions(void* handle, NvrtcLibrary& library) {
  return find(handle, "nvrtcVersion", library.version) &&
         find(handle, "nvrtcGetErrorString", library.error_string) &&
         find(handle, "nvrtcCreateProgram", library.create_program) &&
         find(handle, "nvrtcDestroyProgram", library.destroy_program) &&
         find(handle, "nvrtcCompileProgram", library.compile_program) &&
         find(handle, "nvrtcGetPTXSize", library.ptx_size) &&
         find(handle, "nvrtcGetPTX", library.ptx) &&
         find(handle, "nvrtcGetCUBINSize", library.cubin_size) &&
         find(handle, "nvrtcGetCUBIN", library.cubin) &&
         find(handle, "nvrtcGetProgramLogSize", library.log_size) &&
         find(handle, "nvrtcGetProgramLog", library.log);
}

Result<NvrtcLibrary> open_library() {
  std::string tried;
  for (const std::string& place : library_places()) {
    void* handle = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
      const char* reason = dlerror();
      tried += fmt::format("{}{}", tried.empty() ? "" : ", ", reason ? reason : place);
      continue;
    }
    NvrtcLibrary library;
    int major = 0, minor = 0;
    if (!find_functions(handle, library) || library.version(&major, &minor) != 0) {
      tried += fmt::format("{}{} lacks a function of NVRTC 12", tried.empty() ? "" : ", ", place);
      continue;
    }
    library.path = place;
    library.identity = fmt::format("nvrtc {}.{}", major, minor);
    return library;
  }
  return fail(
      ErrorCode::unavailable, "compile",
      "expected NVRTC (libnvrtc.so.13 or .12), found none (tried {}); install the CUDA toolkit or "
      "the package nvidia-cuda-nvrtc, or set SPRUE_NVRTC",
      tried);
}

}  // namespace

Result<const NvrtcLibrary*> nvrtc_library() {
  static std::mutex mutex;
  static NvrtcLibrary* library = nullptr;
  std::lock_guard lock(mutex);
  if (!library) {  // a failure isn't remembered: a library put in place later is found
    SPRUE_ASSIGN(auto opened, open_library());
    library = new NvrtcLibrary(std::move(opened));
  }
  return library;
}

}  // namespace sprue
