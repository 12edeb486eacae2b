#include "kernel/specialization_entry.h"

namespace sprue {

Result<std::shared_ptr<const ReadySpecialization>> SpecializationEntry::get_or_make(
    const Make& make) {
  std::unique_lock lock(mutex_);
  if (auto ready = this->ready()) return ready;
  if (flight_) {
    const std::shared_ptr<Flight> flight = flight_;
    landed_.wait(lock, [&] { return flight->done; });
    return flight->outcome;
  }
  const auto flight = flight_ = std::make_shared<Flight>();
  lock.unlock();
  auto outcome = make();  // compiles, possibly for a long time: no lock is held
  lock.lock();
  flight->outcome = std::move(outcome);
  flight->done = true;
  flight_ = nullptr;
  if (flight->outcome) {
    ready_ = *flight->outcome;
    made_.store(true, std::memory_order_release);
  }
  landed_.notify_all();
  return flight->outcome;
}

}  // namespace sprue
