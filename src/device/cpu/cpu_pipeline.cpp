#include "device/cpu/cpu_pipeline.h"

#include <dlfcn.h>

#include "base/counters.h"

namespace sprue {

Result<std::shared_ptr<const CpuPipeline>> CpuPipeline::load(const Binary& binary) {
  std::shared_ptr<CpuPipeline> pipeline(new CpuPipeline);
  SPRUE_ASSIGN(pipeline->file_, create_memory_file("sprue-kernel", binary.bytes));
  const std::string path = fmt::format("/proc/self/fd/{}", pipeline->file_.get());
  pipeline->handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!pipeline->handle_) {
    const char* reason = dlerror();
    return fail(ErrorCode::load_failed, "load", "expected '{}' to load, got {}", binary.entry_name,
                reason ? reason : "an unknown failure");
  }
  SPRUE_CHECK(pipeline->resolve(binary));
  counters().loads.fetch_add(1, std::memory_order_relaxed);
  return pipeline;
}

CpuPipeline::~CpuPipeline() {
  // The file closes after this, with its member: dlopen knows a file by its path, and a new one at the
  // same descriptor would be answered with the old code for as long as that is loaded.
  if (handle_) dlclose(handle_);
}

Status CpuPipeline::resolve(const Binary& binary) {
  info_ = static_cast<const SprueKernelInfo*>(dlsym(handle_, "sprue_kernel_info"));
  if (!info_)
    return fail(ErrorCode::load_failed, "load",
                "expected '{}' to be a kernel of Sprue, got a shared "
                "object without sprue_kernel_info",
                binary.entry_name);
  if (info_->abi_version != SPRUE_CPU_ABI_VERSION)
    return fail(
        ErrorCode::load_failed, "load",
        "expected binary interface {} in '{}', got {}; make the casting again with this release",
        SPRUE_CPU_ABI_VERSION, binary.entry_name, info_->abi_version);
  if (info_->parameter_count != binary.signature.parameters.size())
    return fail(ErrorCode::load_failed, "load", "expected {} parameters in '{}', got {}",
                binary.signature.parameters.size(), binary.entry_name, info_->parameter_count);
  run_groups_ = reinterpret_cast<SprueRunGroups>(dlsym(handle_, "sprue_run_groups"));
  run_thread_ = reinterpret_cast<SprueRunThread>(dlsym(handle_, "sprue_run_thread"));
  if (is_coroutine() ? !run_thread_ : !run_groups_)
    return fail(ErrorCode::load_failed, "load", "expected an entry function in '{}', got none",
                binary.entry_name);
  limits_.threadgroup_memory = info_->arena_bytes;
  return {};
}

}  // namespace sprue
