#include "array/storage.h"

#include <cstdlib>
#include <mutex>
#include <new>
#include <vector>

namespace sprue {

namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kSmallestBlock = 64;         // bytes
constexpr size_t kLargestPooled = 64u << 20;  // bytes of one block; larger ones go straight back
constexpr size_t kPooledBytes = 256u << 20;   // bytes kept in all

// Blocks are kept by power-of-two size, so that repeated calls don't fault in fresh pages each time.
class HostPool {
 public:
  void* take(size_t bytes) {
    const int list = index_of(bytes);
    {
      std::lock_guard lock(mutex_);
      if (!free_[list].empty()) {
        void* block = free_[list].back();
        free_[list].pop_back();
        kept_ -= bytes;
        return block;
      }
    }
    void* block = std::aligned_alloc(kAlignment, bytes);
    if (!block) throw std::bad_alloc();
    return block;
  }
  void give(void* block, size_t bytes) {
    if (bytes <= kLargestPooled) {
      std::lock_guard lock(mutex_);
      if (kept_ + bytes <= kPooledBytes) {
        free_[index_of(bytes)].push_back(block);
        kept_ += bytes;
        return;
      }
    }
    std::free(block);
  }

 private:
  static int index_of(size_t bytes) { return std::countr_zero(bytes); }
  std::mutex mutex_;
  std::vector<void*> free_[64];
  size_t kept_ = 0;
};

HostPool& pool() {
  static auto* instance = new HostPool;  // leaked: arrays may outlive static destructors
  return *instance;
}

}  // namespace

StorageReference allocate_host_storage(size_t bytes) {
  const size_t block_bytes = std::bit_ceil(std::max(bytes, kSmallestBlock));
  auto* storage = new Storage;
  StorageReference reference(storage);
  storage->address = pool().take(block_bytes);
  storage->bytes = bytes;
  storage->release = [address = storage->address, block_bytes] {
    pool().give(address, block_bytes);
  };
  return reference;
}

StorageReference::StorageReference(const StorageReference& other) : storage_(other.storage_) {
  if (storage_) storage_->references.fetch_add(1, std::memory_order_relaxed);
}

StorageReference::~StorageReference() {
  // Release orders our writes before the last owner's acquire, which then gives the memory back.
  if (!storage_ || storage_->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (storage_->release) storage_->release();
  delete storage_;
}

}  // namespace sprue
