#include "measure/machine/noise.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/thread_pool.h"
#include "measure/statistics.h"

namespace sprue {

namespace {

// Bounds beyond which a reader should doubt a difference of a few per cent.
constexpr double kBusyShare = 0.5;     // of the processors, taken by others before we began
constexpr double kStolenShare = 0.01;  // of the time
constexpr double kClockSpread = 0.05;  // slowest to fastest
constexpr double kControlSpread =
    0.03;  // quartile to quartile of a loop that does the same each time

constexpr int kControlLoops = 15;  // before and again after

// About half a millisecond that touches no memory.
double time_control_loop() {
  const auto begin = std::chrono::steady_clock::now();
  uint64_t state = 1;
  for (int i = 0; i < 400'000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    asm volatile("" : "+r"(state));  // kept in the loop: the compiler knows closed forms
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double read_number(const std::filesystem::path& path) {
  std::ifstream file(path);
  double value = 0;
  file >> value;
  return file ? value : 0;
}

}  // namespace

NoiseWatch::NoiseWatch(std::string root) : root_(std::move(root)), before_(read()) {
  for (int i = 0; i < kControlLoops; ++i) control_.push_back(time_control_loop());
}

NoiseWatch::Reading NoiseWatch::read() const {
  namespace fs = std::filesystem;
  Reading reading;
  reading.load = read_number(root_ + "/proc/loadavg");
  std::ifstream stat(root_ + "/proc/stat");
  std::string line;
  if (std::getline(stat, line) && line.starts_with("cpu ")) {
    // user nice system idle iowait irq softirq steal; what follows is counted in user already.
    std::istringstream fields(line.substr(4));
    double value = 0;
    for (int i = 0; i < 8 && fields >> value; ++i) {
      reading.ticks += value;
      if (i == 7) reading.stolen_ticks = value;
    }
  }
  std::error_code ignored;
  for (const auto& processor : fs::directory_iterator(root_ + "/sys/devices/system/cpu", ignored)) {
    const std::string name = processor.path().filename();
    if (!name.starts_with("cpu") || name.size() < 4 || name[3] < '0' || name[3] > '9') continue;
    reading.throttled += static_cast<int64_t>(
        read_number(processor.path() / "thermal_throttle/core_throttle_count"));
    const double kilohertz = read_number(processor.path() / "cpufreq/scaling_cur_freq");
    if (kilohertz > 0) reading.clocks.push_back(kilohertz * 1e3);
  }
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) == 0) reading.preempted = usage.ru_nivcsw;
  return reading;
}

Noise NoiseWatch::finish() {
  for (int i = 0; i < kControlLoops; ++i) control_.push_back(time_control_loop());
  const Reading after = read();
  Noise noise;
  noise.load_before = before_.load;
  noise.load_after = after.load;
  const double ticks = after.ticks - before_.ticks;
  if (ticks > 0)
    noise.stolen = std::clamp((after.stolen_ticks - before_.stolen_ticks) / ticks, 0.0, 1.0);
  noise.throttled = std::max<int64_t>(after.throttled - before_.throttled, 0);
  noise.preempted = std::max<int64_t>(after.preempted - before_.preempted, 0);
  std::vector<double> clocks = before_.clocks;
  clocks.insert(clocks.end(), after.clocks.begin(), after.clocks.end());
  if (!clocks.empty()) {
    noise.slowest_clock = *std::min_element(clocks.begin(), clocks.end());
    noise.fastest_clock = *std::max_element(clocks.begin(), clocks.end());
  }
  const Summary control = summarize(control_);
  noise.control_spread = (control.upper_quartile - control.lower_quartile) / control.median;

  // Load after the run is our own.
  if (noise.load_before > kBusyShare * parallel_threads())
    noise.flags.push_back(
        fmt::format("other work was running: load {:.1f} on {} processors before the run",
                    noise.load_before, parallel_threads()));
  if (noise.stolen > kStolenShare)
    noise.flags.push_back(
        fmt::format("a hypervisor took {:.1f} % of the time", 100 * noise.stolen));
  if (noise.throttled > 0)
    noise.flags.push_back(
        fmt::format("the processor was throttled for heat {} times", noise.throttled));
  if (noise.fastest_clock > 0 && noise.slowest_clock < (1 - kClockSpread) * noise.fastest_clock)
    noise.flags.push_back(fmt::format("clocks between {:.2f} and {:.2f} GHz were seen",
                                      noise.slowest_clock / 1e9, noise.fastest_clock / 1e9));
  if (noise.control_spread > kControlSpread)
    noise.flags.push_back(
        fmt::format("a fixed loop's time spread by {:.1f} % from quartile to quartile",
                    100 * noise.control_spread));
  return noise;
}

}  // namespace sprue
