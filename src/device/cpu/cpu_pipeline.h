// A CPU binary, loaded: the functions of its shared object.
#pragma once

#include <memory>

#include "base/sys.h"
#include "device/launch.h"
#include "program/cpu_abi.h"

namespace sprue {

using SprueRunGroups = void (*)(const SprueLaunch*, SprueWorker*);
using SprueRunThread = void* (*)(const SprueLaunch*, SprueThread*, void* frame);

class CpuPipeline : public Pipeline {
 public:
  // Loads the shared object from memory. Errors: load_failed if it isn't one, has another ABI, or
  // doesn't have the parameters of the binary's signature.
  static Result<std::shared_ptr<const CpuPipeline>> load(const Binary& binary);
  ~CpuPipeline() override;

  const Limits& limits() const override { return limits_; }
  const SprueKernelInfo& info() const { return *info_; }
  bool is_coroutine() const { return info_->mode == kSprueCoroutineMode; }
  SprueRunGroups run_groups() const { return run_groups_; }
  SprueRunThread run_thread() const { return run_thread_; }

 private:
  CpuPipeline() = default;
  Status resolve(const Binary& binary);

  FileDescriptor file_;  // closes after the destructor has let go of the code
  void* handle_ = nullptr;
  const SprueKernelInfo* info_ = nullptr;
  SprueRunGroups run_groups_ = nullptr;
  SprueRunThread run_thread_ = nullptr;
  Limits limits_;
};

}  // namespace sprue
