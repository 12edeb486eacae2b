// A kernel file as it was at a revision: git reads, nothing is checked out.
#include <filesystem>

#include "base/process.h"
#include "benchmark/benchmark.h"

namespace sprue {

namespace {

namespace fs = std::filesystem;

Result<std::string> git(const std::string& folder, std::vector<std::string> words) {
  words.insert(words.begin(), "git");
  auto result = run_process(words, {.folder = folder});
  if (!result && result.error().code() == ErrorCode::not_found)
    return fail(ErrorCode::unavailable, "bench", "expected git for --vs-git, got none in PATH");
  if (!result) return tl::unexpected(std::move(result).error());
  if (result->exit_code == 0) return std::move(result->output);
  while (result->errors.ends_with('\n')) result->errors.pop_back();
  return fail(ErrorCode::invalid_argument, "bench", "expected git to answer, got: {}",
              result->errors);
}

}  // namespace

Result<KernelFileSource> at_git_revision(const std::string& path, const std::string& revision) {
  // A revision that looks like an option would be one.
  if (revision.empty() || revision.starts_with('-'))
    return fail(ErrorCode::invalid_argument, "bench", "expected a revision, got '{}'", revision);
  std::error_code reason;
  const fs::path file = fs::canonical(path, reason);
  if (reason)
    return fail(ErrorCode::not_found, "bench", "expected a kernel file, got {}: {}", path,
                reason.message());
  const std::string folder = file.parent_path().string();
  SPRUE_ASSIGN(std::string top, git(folder, {"rev-parse", "--show-toplevel"}));
  while (top.ends_with('\n')) top.pop_back();
  SPRUE_ASSIGN(std::string commit,
               git(folder, {"rev-parse", "--verify", "--end-of-options", revision + "^{commit}"}));
  while (commit.ends_with('\n')) commit.pop_back();
  KernelFileSource source{.path = file.string()};
  source.shown = revision + ":" + file.lexically_relative(top).generic_string();
  source.read.read_text = [top, commit, revision](const std::string& wanted,
                                                  uint64_t limit) -> Result<std::string> {
    const std::string inside = fs::path(wanted).lexically_relative(top).generic_string();
    if (inside.empty() || inside.starts_with(".."))
      return fail(ErrorCode::not_found, "bench",
                  "expected {} in the repository {}, got one outside", wanted, top);
    const auto text = git(top, {"cat-file", "blob", commit + ":" + inside});
    if (!text)
      return fail(ErrorCode::not_found, "bench", "expected {} at revision {}, got none there",
                  inside, revision);
    if (text->size() > limit)
      return fail(ErrorCode::invalid_argument, "bench", "expected at most {} bytes in {}, got {}",
                  limit, inside, text->size());
    return *text;
  };
  return source;
}

}  // namespace sprue
