#include "base/counters.h"

namespace sprue {

Counters& counters() {
  static Counters instance;
  return instance;
}

}  // namespace sprue
