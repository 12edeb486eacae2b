// One specialisation of one kernel: its text, its binary, its loaded code. Made once, by the first call
// that needs it; calls that arrive meanwhile wait for that one.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

#include "device/launch.h"
#include "program/binary.h"
#include "program/source.h"
#include "program/specialization.h"

namespace sprue {

// What a finished specialisation is. Immutable: launches share it.
struct ReadySpecialization {
  GeneratedSource source;
  Binary binary;
  std::shared_ptr<const Pipeline> pipeline;
};

class SpecializationEntry {
 public:
  using Make = std::function<Result<std::shared_ptr<const ReadySpecialization>>()>;

  explicit SpecializationEntry(SpecializationKey key) : key_(std::move(key)) {}

  const SpecializationKey& key() const { return key_; }

  // Null until made.
  std::shared_ptr<const ReadySpecialization> ready() const {
    return made_.load(std::memory_order_acquire) ? ready_ : nullptr;
  }

  // Single flight: one caller runs `make`, the others wait and share its outcome. A failure reaches
  // every waiter and is then forgotten, so that the next call tries again.
  Result<std::shared_ptr<const ReadySpecialization>> get_or_make(const Make& make);

  std::atomic<uint64_t> last_use{0};  // stamp of the table's clock

 private:
  // One attempt, shared by the callers that wait for it.
  struct Flight {
    bool done = false;
    Result<std::shared_ptr<const ReadySpecialization>> outcome;
  };

  const SpecializationKey key_;
  // Written once, before made_ is set; read only after made_ is seen.
  std::shared_ptr<const ReadySpecialization> ready_;
  std::atomic<bool> made_{false};
  std::mutex mutex_;
  std::condition_variable landed_;
  std::shared_ptr<Flight> flight_;
};

}  // namespace sprue
