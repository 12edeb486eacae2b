#include "kernel/specialization_table.h"

#include <algorithm>
#include <mutex>

#include "base/counters.h"
#include "base/hash.h"

namespace sprue {

uint64_t hash_key(std::span<const uint8_t> key) { return digest_bytes(key.data(), key.size()).low; }

std::shared_ptr<SpecializationEntry> SpecializationTable::find(uint64_t hash,
                                                               std::span<const uint8_t> key) const {
  const auto [first, last] = entries_.equal_range(hash);
  for (auto at = first; at != last; ++at) {
    const auto& entry = at->second;
    if (std::equal(entry->key().begin(), entry->key().end(), key.begin(), key.end())) return entry;
  }
  return nullptr;
}

std::shared_ptr<SpecializationEntry> SpecializationTable::find_or_add(
    std::span<const uint8_t> key) {
  const uint64_t hash = hash_(key);
  const uint64_t now = clock_.fetch_add(1, std::memory_order_relaxed);
  {
    std::shared_lock lock(mutex_);
    if (auto entry = find(hash, key)) {
      entry->last_use.store(now, std::memory_order_relaxed);
      counters().hits.fetch_add(1, std::memory_order_relaxed);
      return entry;
    }
  }
  std::unique_lock lock(mutex_);
  if (auto entry = find(hash, key)) {  // another thread was faster
    entry->last_use.store(now, std::memory_order_relaxed);
    counters().hits.fetch_add(1, std::memory_order_relaxed);
    return entry;
  }
  if (entries_.size() >= kTableCapacity) evict_oldest();
  auto entry = std::make_shared<SpecializationEntry>(SpecializationKey(key.begin(), key.end()));
  entry->last_use.store(now, std::memory_order_relaxed);
  entries_.emplace(hash, entry);
  counters().misses.fetch_add(1, std::memory_order_relaxed);
  return entry;
}

void SpecializationTable::remove_failed(const SpecializationEntry& entry) {
  const auto& key = entry.key();
  const uint64_t hash = hash_({key.data(), key.size()});
  std::unique_lock lock(mutex_);
  if (entry.ready()) return;
  const auto [first, last] = entries_.equal_range(hash);
  for (auto at = first; at != last; ++at) {
    if (at->second.get() != &entry) continue;
    entries_.erase(at);
    return;
  }
}

void SpecializationTable::evict_oldest() {
  const auto oldest =
      std::min_element(entries_.begin(), entries_.end(), [](const auto& a, const auto& b) {
        return a.second->last_use.load(std::memory_order_relaxed) <
               b.second->last_use.load(std::memory_order_relaxed);
      });
  entries_.erase(oldest);
  counters().evictions.fetch_add(1, std::memory_order_relaxed);
}

std::vector<std::shared_ptr<SpecializationEntry>> SpecializationTable::entries() const {
  std::vector<std::shared_ptr<SpecializationEntry>> all;
  {
    std::shared_lock lock(mutex_);
    for (const auto& [hash, entry] : entries_) all.push_back(entry);
  }
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a->last_use < b->last_use; });
  return all;
}

size_t SpecializationTable::size() const {
  std::shared_lock lock(mutex_);
  return entries_.size();
}

}  // namespace sprue
