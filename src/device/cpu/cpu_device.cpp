// The CPU as a device: memory of the host, kernels spread over the thread pool, results ready on return.
#include <atomic>
#include <fstream>

#include "base/counters.h"
#include "base/thread_pool.h"
#include "device/cpu/fill.h"
#include "device/cpu/group_executor.h"
#include "device/device.h"

namespace sprue {

namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      if (const size_t colon = line.find(": "); colon != std::string::npos)
        return line.substr(colon + 2);
  return "x86-64";
}

bool has_x86_64_v3() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

bool has_x86_64_v4() {
  return has_x86_64_v3() && __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

// Threadgroups that one piece of work should have: several pieces a thread for balance, but not so
// many that taking one costs more than running it.
int64_t groups_per_piece(int64_t groups, int64_t threads_per_group) {
  constexpr int64_t kPiecesPerThread = 8;
  constexpr int64_t kFewestThreads = 256;  // GPU threads worth a piece of their own
  const int64_t balanced = groups / (kPiecesPerThread * parallel_threads());
  const int64_t worthwhile = (kFewestThreads + threads_per_group - 1) / threads_per_group;
  return std::max({balanced, worthwhile, int64_t{1}});
}

// What the pieces of one launch find; one fault is kept, and the pieces that haven't begun are left out.
class FirstFault {
 public:
  bool is_there() const { return there_.load(std::memory_order_relaxed); }
  void keep(const GroupFault& fault) {
    if (!there_.exchange(true)) fault_ = fault;
  }
  // After all pieces have ended.
  Status status(const Launch& launch) const {
    if (!is_there()) return {};
    const auto& [kind, group, threads, sites] = fault_;
    const std::string place = fmt::format("({}, {}, {})", group[0], group[1], group[2]);
    const std::string_view name = launch.kernel_name ? *launch.kernel_name : std::string_view();
    if (kind == GroupFault::Kind::two_barriers)
      return fail(
          ErrorCode::invalid_argument, "cpu",
          "expected all threads of a threadgroup of kernel '{}' to wait at one barrier, got "
          "threads {} and {} of threadgroup {} at two (waits {} and {} of the text, from 0); "
          "GPUs leave that undefined: move the barrier out of the branch",
          name, threads[0], threads[1], place, sites[0], sites[1]);
    if (threads[0] == threads[1])
      return fail(
          ErrorCode::invalid_argument, "cpu",
          "expected the mask of each warp function of kernel '{}' to name the calling lane, "
          "got one that lacks lane {}, of thread {} of block {}; CUDA leaves that undefined",
          name, threads[0] % 32, threads[0], place);
    return fail(
        ErrorCode::invalid_argument, "cpu",
        "expected all lanes that the mask of a warp function of kernel '{}' names to call it, "
        "got thread {} of block {} there without thread {}; CUDA leaves that undefined: move "
        "the call out of the branch, or name those that come",
        name, threads[0], place, threads[1]);
  }

 private:
  std::atomic<bool> there_{false};
  GroupFault fault_{};  // written once, read when the loop over pieces is done
};

class CpuDevice : public Device {
 public:
  DeviceId id() const override { return {DeviceKind::cpu, 0}; }

  std::string description() const override {
    return fmt::format("{}, {} thread{}", processor_name(), parallel_threads(),
                       parallel_threads() == 1 ? "" : "s");
  }

  Target jit_target() const override { return {TargetKind::cpu, "native", ""}; }

  Status accepts(const Target& target) const override {
    if (target.kind != TargetKind::cpu)
      return fail(ErrorCode::load_failed, "cpu", "expected code for the CPU, got code for {}",
                  target.name());
    const std::string& architecture = target.architecture;
    if (architecture == "native" || (architecture == "x86-64-v3" && has_x86_64_v3()) ||
        (architecture == "x86-64-v4" && has_x86_64_v4()))
      return {};
    return fail(ErrorCode::load_failed, "cpu", "expected a processor with {}, got {}", architecture,
                processor_name());
  }

  Result<std::shared_ptr<const Pipeline>> load(const Binary& binary) override {
    SPRUE_CHECK(accepts(binary.target));
    return CpuPipeline::load(binary);
  }

  Result<Array> allocate(const Shape& shape, Dtype dtype) override {
    return Array::empty(shape, dtype);
  }

  Status fill(Array& array, double value) override {
    fill_array(array, value);
    counters().fills.fetch_add(1, std::memory_order_relaxed);
    return {};
  }

  Status poison(Array& array) override {
    std::memset(array.address(), 0xff, static_cast<size_t>(array.size_bytes()));
    return {};
  }

  Status submit(const Launch& launch) override {
    counters().launches.fetch_add(1, std::memory_order_relaxed);
    const auto& pipeline = static_cast<const CpuPipeline&>(*launch.pipeline);
    static_assert(sizeof(Argument) == sizeof(SprueArgument));
    SprueLaunch raw{};
    raw.arguments = reinterpret_cast<const SprueArgument*>(launch.arguments);
    const int64_t grid[3] = {launch.grid.x, launch.grid.y, launch.grid.z};
    const int64_t group[3] = {launch.threadgroup.x, launch.threadgroup.y, launch.threadgroup.z};
    int64_t groups = 1, threads_per_group = 1;
    for (int axis = 0; axis < 3; ++axis) {
      const int64_t size = std::min(group[axis], grid[axis]);
      const int64_t count = (grid[axis] + size - 1) / size;
      raw.grid[axis] = static_cast<uint32_t>(grid[axis]);
      raw.threadgroup[axis] = static_cast<uint32_t>(size);
      raw.groups[axis] = static_cast<uint32_t>(count);
      groups *= count;
      threads_per_group *= size;
    }
    FirstFault fault;
    parallel_for(groups, groups_per_piece(groups, threads_per_group),
                 [&](int64_t begin, int64_t end) {
                   if (fault.is_there()) return;
                   if (auto found = GroupExecutor::mine().run(
                           pipeline, raw, static_cast<uint64_t>(begin), static_cast<uint64_t>(end)))
                     fault.keep(*found);
                 });
    return fault.status(launch);
  }
};

}  // namespace

Device& cpu_device() {
  static auto* device = new CpuDevice;  // leaked: arrays may outlive static destructors
  return *device;
}

}  // namespace sprue
