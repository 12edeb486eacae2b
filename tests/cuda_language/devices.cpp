// What on_each_device() of language/matrix.h means in this suite: CUDA's door.
#include "cuda_language/cuda_row.h"

namespace sprue::language {

const std::vector<Device>& devices() {
  static const std::vector<Device> kDevices = {cuda_device()};
  return kDevices;
}

}  // namespace sprue::language
