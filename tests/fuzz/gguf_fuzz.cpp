// Any bytes given to the GGUF reader: a model or an error, and every value and tensor of a model
// can be read.
#include <cstdint>
#include <cstdlib>
#include <numeric>

#include "models/gguf.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto result = sprue::Gguf::from_bytes({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!result) return 0;
  const sprue::Gguf& file = **result;
  for (const auto& [key, value] : file.metadata()) {
    (void)file.string(key);
    (void)file.number(key);
    (void)file.unsigned_integer(key);
    (void)value.strings();
    (void)value.numbers();
    (void)value.integers();
    (void)value.booleans();
    (void)value.arrays();
  }
  unsigned sum = 0;
  for (const auto& tensor : file.tensors()) {
    for (std::byte byte : file.bytes(tensor)) sum += static_cast<unsigned>(byte);
    (void)file.array(tensor);
    (void)file.dequantize(tensor);
    if (file.find_tensor(tensor.name) != &tensor) std::abort();
  }
  // Never true, which the compiler can't know: the bytes are read.
  if (sum == 1u && file.tensors().empty()) std::abort();
  return 0;
}
