// The specialisations of one definition, by key; bounded. Thread-safe: hits take a shared lock.
#pragma once

#include <memory>
#include <shared_mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "kernel/specialization_entry.h"

namespace sprue {

inline constexpr size_t kTableCapacity = 256;  // entries of a definition

// Only the speed of a look-up depends on it: keys of one hash are told apart by their bytes.
using KeyHash = uint64_t (*)(std::span<const uint8_t> key);
uint64_t hash_key(std::span<const uint8_t> key);

class SpecializationTable {
 public:
  explicit SpecializationTable(KeyHash hash = hash_key) : hash_(hash) {}

  // The entry of this key; made if there is none, in place of the one that was used longest ago if
  // the table is full. An entry that left the table lives on with those who hold it.
  std::shared_ptr<SpecializationEntry> find_or_add(std::span<const uint8_t> key);
  // Takes an entry out whose specialisation couldn't be made, unless it has been made meanwhile:
  // failures must not push good entries out.
  void remove_failed(const SpecializationEntry& entry);
  // Entries in the order of their last use, oldest first.
  std::vector<std::shared_ptr<SpecializationEntry>> entries() const;
  size_t size() const;

 private:
  std::shared_ptr<SpecializationEntry> find(uint64_t hash, std::span<const uint8_t> key) const;
  void evict_oldest();

  const KeyHash hash_;
  mutable std::shared_mutex mutex_;
  // By hash; the full keys of a bucket are compared.
  std::unordered_multimap<uint64_t, std::shared_ptr<SpecializationEntry>> entries_;
  std::atomic<uint64_t> clock_{0};
};

}  // namespace sprue
