#include "program/includes.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/sys.h"
#include "program/identifier.h"
#include "program/metal_headers.h"

namespace sprue {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFiles = 256;
constexpr size_t kMostBytes = 16u << 20;

struct Mention {
  std::string name;
  bool is_quoted;  // "x.h" rather than <x.h>
};

std::string_view skip_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

// Lines that look like an #include, in comments too: what isn't one in truth does no harm.
std::vector<Mention> mentions(std::string_view text) {
  std::vector<Mention> found;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = skip_blanks(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.starts_with('#')) continue;
    line = skip_blanks(line.substr(1));
    if (!line.starts_with("include")) continue;
    line = skip_blanks(line.substr(7));
    if (line.empty() || (line[0] != '"' && line[0] != '<')) continue;
    const bool is_quoted = line[0] == '"';
    const size_t close = line.find(is_quoted ? '"' : '>', 1);
    if (close == std::string_view::npos || close == 1) continue;
    found.push_back({std::string(line.substr(1, close - 1)), is_quoted});
  }
  return found;
}

bool is_metal_header(std::string_view name) {
  return std::find(std::begin(kSprueMetalHeaders), std::end(kSprueMetalHeaders), name) !=
         std::end(kSprueMetalHeaders);
}

class Reader {
 public:
  Reader(const std::vector<std::string>& folders, std::string_view origin)
      : folders_(folders), origin_(origin) {}

  Status read(std::string_view text, const fs::path& folder_of_text) {
    for (const Mention& mention : mentions(text)) {
      if (is_metal_header(mention.name)) continue;
      const fs::path path = find(mention, folder_of_text);
      if (!path.empty()) SPRUE_CHECK(take(mention.name, path));
    }
    return {};
  }

  std::vector<IncludedText> result() { return std::move(included_); }

 private:
  fs::path find(const Mention& mention, const fs::path& folder_of_text) const {
    const fs::path name = fs::path(mention.name).lexically_normal();
    if (name.is_absolute() || mention.name.find('\0') != std::string::npos) return {};
    if (mention.is_quoted && !folder_of_text.empty())
      if (fs::path path = (folder_of_text / name).lexically_normal(); is_readable(path))
        return path;
    if (*name.begin() == "..") return {};
    for (const std::string& folder : folders_)
      if (fs::path path = (fs::path(folder) / name).lexically_normal(); is_readable(path))
        return path;
    return {};
  }

  // A file, in one of the folders: links aren't followed out of them.
  bool is_readable(const fs::path& path) const {
    std::error_code problem;
    if (!fs::is_regular_file(path, problem) || problem) return false;
    const fs::path real = fs::canonical(path, problem);
    if (problem) return false;
    return std::any_of(folders_.begin(), folders_.end(), [&](const std::string& folder) {
      std::error_code ignored;
      const fs::path inside = real.lexically_relative(fs::canonical(folder, ignored));
      return !inside.empty() && *inside.begin() != "..";
    });
  }

  Status take(const std::string& name, const fs::path& path) {
    const auto [at, fresh] = paths_.emplace(name, path);
    if (!fresh && at->second != path)
      return fail(ErrorCode::invalid_argument, origin_,
                  "expected {} to name one file, got {} and {}; spell one of them with its folder",
                  shown_name(name), at->second.string(), path.string());
    if (!fresh) return {};
    SPRUE_ASSIGN(std::string text, read_file(path.string(), kMostBytes));
    bytes_ += text.size();
    if (included_.size() >= kMostFiles || bytes_ > kMostBytes)
      return fail(ErrorCode::invalid_argument, origin_,
                  "expected at most {} included files of {} bytes in all, got more at {}",
                  kMostFiles, kMostBytes, path.string());
    if (text.find('\0') != std::string::npos)
      return fail(ErrorCode::invalid_argument, origin_, "expected text in {}, got a NUL byte",
                  path.string());
    included_.push_back({name, path.string(), text});
    return read(text, path.parent_path());
  }

  const std::vector<std::string>& folders_;
  const std::string_view origin_;
  std::map<std::string, fs::path> paths_;
  std::vector<IncludedText> included_;
  size_t bytes_ = 0;
};

}  // namespace

Result<std::vector<IncludedText>> read_includes(const std::vector<std::string_view>& texts,
                                                const std::vector<std::string>& folders,
                                                std::string_view origin) {
  if (folders.empty()) return std::vector<IncludedText>();
  for (const std::string& folder : folders) {
    std::error_code problem;
    if (!fs::is_directory(folder, problem))
      return fail(ErrorCode::invalid_argument, origin,
                  "expected a folder in include_dirs, got {}, which isn't one", shown_name(folder));
  }
  Reader reader(folders, origin);
  for (std::string_view text : texts) SPRUE_CHECK(reader.read(text, {}));
  return reader.result();
}

}  // namespace sprue
