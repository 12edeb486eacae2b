// Any bytes given to the NPY reader: an array or an error, and an array survives a round trip.
#include <cstdlib>

#include "array/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto array = sprue::read_npy_bytes(bytes, "fuzz.npy");
  if (!array) return 0;
  const auto again = sprue::read_npy_bytes(sprue::npy_bytes(*array), "again.npy");
  if (!again || sprue::digest(*again) != sprue::digest(*array)) std::abort();
  return 0;
}
