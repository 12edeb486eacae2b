// Kernels that are compiled when they are needed, and the registry that makes equal ones share.
#include <list>
#include <mutex>
#include <unordered_map>

#include "base/counters.h"
#include "dialect/generator.h"
#include "kernel/compile_kernel.h"
#include "kernel/kernel_state.h"

namespace sprue {

namespace {

class JitKernelState : public KernelState {
 public:
  using KernelState::KernelState;

  Result<std::shared_ptr<const ReadySpecialization>> make(const Specialization& specialization,
                                                          Device& device,
                                                          CompilePolicy policy) override {
    if (policy == CompilePolicy::precompiled)
      return fail(
          ErrorCode::not_found, origin(),
          "expected kernel '{}' to be compiled already under policy 'precompiled', got a new "
          "specialisation {}; load a casting that holds it",
          definition().name, specialization.describe(definition()));
    auto ready = std::make_shared<ReadySpecialization>();
    SPRUE_ASSIGN(ready->source,
                 generate_for(device.jit_target().kind, definition(), specialization));
    counters().generated_texts.fetch_add(1, std::memory_order_relaxed);
    SPRUE_ASSIGN(ready->binary, compile_kernel(definition(), specialization, ready->source,
                                               device.jit_target(), optimization()));
    SPRUE_ASSIGN(ready->pipeline, device.load(ready->binary));
    return ready;
  }

  Result<std::string> regenerate(const Specialization& specialization) override {
    SPRUE_ASSIGN(GeneratedSource source, generate_cpu(definition(), specialization));
    return std::move(source.text);
  }
};

// Definitions stay known after their last Kernel is gone: a program that makes its kernel anew for each
// call must not compile anew. The bound keeps one that makes endless different texts from growing.
class Registry {
 public:
  std::shared_ptr<KernelState> intern(KernelDefinition definition, Optimization optimization,
                                      std::string_view origin) {
    const Digest digest = Hasher()
                              .field("content", definition.digest())
                              .field("optimization", static_cast<uint64_t>(optimization))
                              .field("source_file", definition.source_file)
                              .field("header_file", definition.header_file)
                              .field("origin", origin)
                              .digest();
    std::lock_guard lock(mutex_);
    if (auto found = states_.find(digest); found != states_.end()) {
      const auto& state = found->second.state;
      if (state->definition() == definition && state->optimization() == optimization) {
        order_.splice(order_.end(), order_, found->second.place);
        return state;
      }
      // Two definitions of one digest: the later one takes the place.
      order_.erase(found->second.place);
      states_.erase(found);
    }
    drop_unused();
    auto state =
        std::make_shared<JitKernelState>(std::move(definition), std::string(origin), optimization);
    counters().definitions.fetch_add(1, std::memory_order_relaxed);
    order_.push_back(digest);
    states_[digest] = {state, std::prev(order_.end())};
    return state;
  }

 private:
  static constexpr size_t kMostDefinitions = 1024;

  void drop_unused() {
    for (auto at = order_.begin(); at != order_.end() && states_.size() >= kMostDefinitions;) {
      const auto found = states_.find(*at);
      if (found->second.state.use_count() > 1) {
        ++at;
        continue;
      }
      states_.erase(found);
      at = order_.erase(at);
    }
  }

  struct Known {
    std::shared_ptr<KernelState> state;
    std::list<Digest>::iterator place;
  };
  std::mutex mutex_;
  std::list<Digest> order_;  // by last use, oldest first
  std::unordered_map<Digest, Known> states_;
};

Registry& registry() {
  static auto* instance = new Registry;  // leaked: kernels may be called during exit
  return *instance;
}

}  // namespace

Result<Kernel> intern_kernel(const KernelOptions& options, std::string_view origin,
                             Dialect dialect) {
  SPRUE_ASSIGN(KernelDefinition definition, make_definition(options, origin, dialect));
  return Kernel(registry().intern(std::move(definition), options.optimization, origin));
}

Kernel metal_kernel(const KernelOptions& options) {
  return value_or_throw(intern_kernel(options, "metal_kernel"));
}

Kernel cuda_kernel(const KernelOptions& options) {
  return value_or_throw(intern_kernel(options, "cuda_kernel", Dialect::cuda));
}

}  // namespace sprue
