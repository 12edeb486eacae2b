#include "measure/machine/caches.h"

#include <sched.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace sprue {

namespace {

std::string first_word(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  return word;
}

// "32K", "1024K", "32M"; 0 if it is none of these.
int64_t parse_size(const std::string& text) {
  int64_t value = 0;
  size_t i = 0;
  for (; i < text.size() && text[i] >= '0' && text[i] <= '9' && value < (int64_t{1} << 40); ++i)
    value = value * 10 + (text[i] - '0');
  if (i + 1 < text.size() || i == 0) return 0;
  if (i == text.size()) return value;
  return text[i] == 'K'   ? value << 10
         : text[i] == 'M' ? value << 20
         : text[i] == 'G' ? value << 30
                          : 0;
}

bool may_use(int processor) {
  static const cpu_set_t allowed = [] {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
      for (int i = 0; i < CPU_SETSIZE; ++i) CPU_SET(i, &set);
    return set;
  }();
  return processor < CPU_SETSIZE && CPU_ISSET(processor, &allowed);
}

}  // namespace

std::vector<Cache> data_caches(const std::string& root) {
  namespace fs = std::filesystem;
  std::map<int, Cache> levels;
  // One instance is listed by each processor that shares it.
  std::set<std::pair<int, std::string>> seen;
  std::error_code ignored;
  for (const auto& processor : fs::directory_iterator(root, ignored)) {
    const std::string name = processor.path().filename();
    if (!name.starts_with("cpu") || name.find_first_not_of("0123456789", 3) != name.npos ||
        name.size() < 4 || name.size() > 8 || !may_use(std::stoi(name.substr(3))))
      continue;
    for (const auto& index : fs::directory_iterator(processor.path() / "cache", ignored)) {
      const std::string level_text = first_word(index.path() / "level");
      const std::string type = first_word(index.path() / "type");
      const int64_t size = parse_size(first_word(index.path() / "size"));
      if (level_text.size() != 1 || level_text[0] < '1' || level_text[0] > '9' || size <= 0 ||
          (type != "Data" && type != "Unified"))
        continue;
      const int level = level_text[0] - '0';
      std::string instance = first_word(index.path() / "shared_cpu_list");
      if (instance.empty()) instance = name;
      if (!seen.insert({level, instance}).second) continue;
      Cache& cache = levels[level];
      cache.name = "L" + level_text + (type == "Data" ? "d" : "");
      cache.capacity += size;
    }
  }
  std::vector<Cache> caches;
  for (auto& [level, cache] : levels) caches.push_back(std::move(cache));
  return caches;
}

}  // namespace sprue
