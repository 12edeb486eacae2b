#include "benchmark/offline_arm.h"

#include <unistd.h>

#include <atomic>
#include <filesystem>

#include "base/embedded_text.h"
#include "base/process.h"
#include "base/sys.h"
#include "benchmark/temporary_casting.h"
#include "dialect/generator.h"
#include "kernel/cast_kernel.h"
#include "kernel_file/open_kernel.h"

namespace sprue {

namespace {

constexpr size_t kMostBytes = size_t{64} << 20;  // of a kernel's shared object

// A folder of our own, removed with all that it holds.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code ignored;
    std::string name =
        (std::filesystem::temp_directory_path(ignored) / "sprue-offline-XXXXXX").string();
    if (mkdtemp(name.data())) path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct OfflineCompiler {
  std::string program, version;
};

Result<OfflineCompiler> find_compiler() {
  for (const char* program : {"clang++-19", "clang++"}) {
    const auto result = run_process({program, "--version"});
    if (!result || result->exit_code != 0) continue;
    return OfflineCompiler{program, result->output.substr(0, result->output.find('\n'))};
  }
  return fail(ErrorCode::unavailable, "bench",
              "expected clang++-19 or clang++ for the arm c++, got neither");
}

// What the passes of the compiler library add to a kernel without waits, written as text.
std::string with_kernel_info(const GeneratedSource& source) {
  return source.text + fmt::format(
                           "\nextern \"C\" inline __attribute__((always_inline)) void "
                           "__sprue_independent() {{}}\n"
                           "extern \"C\" SPRUE_EXPORT const SprueKernelInfo sprue_kernel_info = "
                           "{{SPRUE_CPU_ABI_VERSION, kSprueLoopMode, 0, 0, {}u, 0}};\n",
                           source.signature.parameters.size());
}

Status write_texts(const std::filesystem::path& folder, const GeneratedSource& source) {
  std::error_code reason;
  std::filesystem::create_directories(folder / "include", reason);
  if (reason)
    return fail(ErrorCode::io, "bench", "expected a folder {}, got: {}", folder.string(),
                reason.message());
  for (const EmbeddedText& text : prelude_texts())
    SPRUE_CHECK(
        write_file_atomically((folder / "include" / std::string(text.name)).string(), text.text));
  for (const char* name :
       {"metal_stdlib", "metal_math", "metal_common", "metal_simdgroup", "metal_atomic"})
    SPRUE_CHECK(write_file_atomically((folder / "include" / name).string(), ""));
  return write_file_atomically((folder / "kernel.cpp").string(), with_kernel_info(source));
}

std::vector<std::string> compile_flags(MathMode math) {
  std::vector<std::string> flags = {"-std=c++17",
                                    "-O3",
                                    "-march=x86-64-v3",
                                    "-shared",
                                    "-fPIC",
                                    "-fvisibility=hidden",
                                    "-ffreestanding",
                                    "-fno-rtti",
                                    "-fno-exceptions",
                                    "-fwrapv",
                                    "-fno-strict-aliasing",
                                    "-Xclang",
                                    "-ffloat16-excess-precision=none",
                                    "-Xclang",
                                    "-cl-single-precision-constant",
                                    "-w"};
  if (math == MathMode::safe)
    flags.push_back("-ffp-contract=off");
  else
    flags.push_back("-ffp-contract=fast");
  if (math == MathMode::fast)
    for (const char* flag : {"-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math",
                             "-freciprocal-math", "-D__FAST_MATH__=1"})
      flags.push_back(flag);
  return flags;
}

Result<Binary> compile_offline(const KernelDefinition& definition, const GeneratedSource& source) {
  SPRUE_ASSIGN(const OfflineCompiler compiler, find_compiler());
  const TemporaryFolder folder;
  if (folder.path().empty())
    return fail(ErrorCode::io, "bench", "expected a temporary folder for the arm c++, got none");
  SPRUE_CHECK(write_texts(folder.path(), source));
  const std::vector<std::string> flags = compile_flags(definition.math);
  std::vector<std::string> command = {compiler.program};
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(),
                 {"-Iinclude", "kernel.cpp", "-Wl,--no-undefined", "-o", "kernel.so"});
  SPRUE_ASSIGN(const ProcessResult result,
               run_process(command, {.folder = folder.path().string()}));
  if (result.exit_code != 0) {
    const bool waits = result.errors.find("__sprue_yield") != std::string::npos;
    if (waits)
      return fail(
          ErrorCode::unavailable, "bench",
          "expected a kernel that waits for no other thread, got barriers or collectives, which "
          "need Sprue's own passes");
    return fail(ErrorCode::unavailable, "bench", "expected {} to build the generated text, got: {}",
                compiler.program, result.errors.substr(0, 400));
  }
  Binary binary;
  SPRUE_ASSIGN(binary.bytes, read_file((folder.path() / "kernel.so").string(), kMostBytes));
  binary.signature = source.signature;
  binary.entry_name = source.entry_name;
  binary.options = fmt::format("{}", fmt::join(flags, " "));
  binary.compiler = compiler.version;
  binary.digest = digest_bytes(binary.bytes);
  return binary;
}

}  // namespace

Result<BuiltArm> build_offline_arm(const KernelFile& file, const KernelCall& call) {
  SPRUE_ASSIGN(const Kernel kernel, jit_kernel(file));
  const KernelDefinition& definition = kernel.state().definition();
  const Specialization specialization = specialization_of(call);
  SPRUE_ASSIGN(const GeneratedSource source, generate_cpu(definition, specialization));
  if (source.text.find("SPRUE_TG ") != std::string::npos)
    return fail(ErrorCode::unavailable, "bench",
                "expected a kernel without threadgroup storage for the arm c++, got one with it");
  SPRUE_ASSIGN(const Binary binary, compile_offline(definition, source));
  const SpecializationKey key = specialization.key();
  std::vector<CastingEntry> entries;
  entries.push_back(make_casting_entry(definition, {key.data(), key.size()}, Optimization::standard,
                                       binary, source.text));
  SPRUE_ASSIGN(const Kernel offline,
               open_temporary_casting(file, std::move(entries), Optimization::standard));
  return build_kernel_arm(file, offline, call, "c++", "c++", Optimization::standard);
}

}  // namespace sprue
