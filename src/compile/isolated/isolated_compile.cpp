#include "compile/isolated/isolated_compile.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <semaphore>

#include "compile/clang/clang_abi.h"
#include "compile/diagnostic_log.h"
#include "compile/isolated/bounded_process.h"
#include "compile/isolated/message.h"

namespace sprue {

namespace {

constexpr char kHelperName[] = "sprue-compile";

struct Limits {
  double seconds = 10;
  int64_t megabytes = 2048;
};

template <typename Number>
Status read_setting(const char* name, const char* what, Number least, Number most, Number& value) {
  const char* text = std::getenv(name);
  if (!text) return {};
  const std::string_view all(text);
  Number read{};
  const auto parsed = std::from_chars(all.data(), all.data() + all.size(), read);
  // In this form it refuses NaN as well.
  if (parsed.ec == std::errc() && parsed.ptr == all.data() + all.size() && read >= least &&
      read <= most) {
    value = read;
    return {};
  }
  return fail(ErrorCode::invalid_argument, "compile",
              "expected {} to be {} from {} to {}, got '{}'", name, what, least, most, all);
}

Result<Limits> read_limits() {
  Limits limits;
  SPRUE_CHECK(read_setting("SPRUE_COMPILE_SECONDS", "seconds", 0.01, 86400.0, limits.seconds));
  SPRUE_CHECK(read_setting("SPRUE_COMPILE_MEGABYTES", "megabytes", int64_t{64}, int64_t{1} << 20,
                           limits.megabytes));
  return limits;
}

std::vector<std::filesystem::path> helper_places() {
  if (const char* given = std::getenv("SPRUE_COMPILE_HELPER")) return {given};
  std::error_code ignored;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  std::vector<std::filesystem::path> places = {program / kHelperName};
  for (const auto& library : compiler_library_places())
    if (const auto place = library.parent_path() / kHelperName;
        std::find(places.begin(), places.end(), place) == places.end())
      places.push_back(place);
  return places;
}

// As it is where the working folder is gone.
std::string whole_path(const std::filesystem::path& place) {
  std::error_code failed;
  const auto whole = std::filesystem::absolute(place, failed);
  return failed ? place.string() : whole.string();
}

Result<std::string> find_helper() {
  std::string tried;
  for (const auto& place : helper_places()) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(place, ignored) && access(place.c_str(), X_OK) == 0)
      return whole_path(place);
    tried += (tried.empty() ? "" : ", ") + place.lexically_normal().string();
  }
  return fail(ErrorCode::unavailable, "compile",
              "expected the program {} for a compile in a process of its own, found none (tried "
              "{}); set SPRUE_COMPILE_HELPER, or compile in this process without SPRUE_ISOLATE",
              kHelperName, tried);
}

// The library that this process would open: the helper may lie elsewhere.
std::string find_library() {
  std::error_code ignored;
  for (const auto& place : compiler_library_places())
    if (std::filesystem::exists(place, ignored)) return whole_path(place);
  return "";
}

using Slots = std::counting_semaphore<>;
Slots* slots = nullptr;

Slots* new_slots() {
  cpu_set_t allowed;
  return new Slots(
      sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? std::max(1, CPU_COUNT(&allowed)) : 1);
}

// One helper a processor: more would only make each other late. Held while one runs.
class Slot {
 public:
  Slot() {
    static const bool ready = [] {
      slots = new_slots();  // leaked: compiles may run during exit
      // The parent's compiles don't end in a child made by fork().
      pthread_atfork(nullptr, nullptr, [] { slots = new_slots(); });
      return true;
    }();
    (void)ready;
    slots->acquire();
  }
  ~Slot() { slots->release(); }
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;
};

tl::unexpected<Error> over_limit(const CompileRequest& request, const std::string& limit,
                                 const char* setting) {
  ErrorDetails details;
  details.options = request.options();
  return tl::unexpected(
      Error(ErrorCode::compile_failed,
            fmt::format("[compile] expected kernel '{}' to compile within {}, got none; set {} if "
                        "it needs more",
                        request.kernel_name, limit, setting),
            std::move(details)));
}

}  // namespace

bool isolation_wanted() {
  const char* text = std::getenv("SPRUE_ISOLATE");
  return text && *text && std::string_view(text) != "0";
}

bool helper_is_there() { return find_helper().has_value(); }

Result<Compiled> compile_in_helper(const CompileRequest& request, CompileOutput output) {
  SPRUE_ASSIGN(const Limits limits, read_limits());
  SPRUE_ASSIGN(const std::string helper, find_helper());
  const std::string message = encode_request(request, output);
  const Slot slot;
  auto started =
      run_bounded({helper, fmt::format("{}", limits.seconds), fmt::format("{}", limits.megabytes),
                   find_library(), fmt::format("{}", getpid())},
                  message, {.seconds = limits.seconds});
  if (!started)
    return fail(ErrorCode::unavailable, "compile", "expected to run {}, got {}", helper,
                started.error().message());
  const BoundedRun& run = *started;
  using End = BoundedRun::End;
  if (run.end == End::timed_out || (run.end == End::signalled && run.status == SIGXCPU))
    return over_limit(request, fmt::format("{} s", limits.seconds), "SPRUE_COMPILE_SECONDS");
  if (run.end == End::exited && run.status == kHelperOutOfMemory)
    return over_limit(request, fmt::format("{} MB of memory", limits.megabytes),
                      "SPRUE_COMPILE_MEGABYTES");
  // An answer is an answer, however its writer ended.
  if (auto answer = decode_answer(run.output)) return std::move(*answer);
  if (run.end == End::signalled)
    return tl::unexpected(
        compile_error({{CompilerDiagnostic::Severity::error, "", 0, 0,
                        fmt::format("{} (signal {})", SPRUE_CLANG_CRASHED, run.status)}},
                      request));
  return fail(ErrorCode::unavailable, "compile",
              "expected an answer of {} about kernel '{}', got {} and exit code {}; install the "
              "one of this release",
              helper, request.kernel_name,
              run.end == End::overflowed ? "too many bytes"
                                         : fmt::format("{} bytes that are none", run.output.size()),
              run.status);
}

}  // namespace sprue
