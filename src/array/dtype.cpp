#include "sprue/dtype.h"

namespace sprue {

namespace {
struct DtypeTraits {
  std::string_view name;
  uint8_t size;  // bytes
  bool floating;
};
constexpr DtypeTraits kTraits[kDtypeCount] = {
    {"bool", 1, false},   {"uint8", 1, false},     {"uint16", 2, false},  {"uint32", 4, false},
    {"uint64", 8, false}, {"int8", 1, false},      {"int16", 2, false},   {"int32", 4, false},
    {"int64", 8, false},  {"float16", 2, true},    {"bfloat16", 2, true}, {"float32", 4, true},
    {"float64", 8, true}, {"complex64", 8, false},
};
const DtypeTraits& traits(Dtype dtype) { return kTraits[static_cast<int>(dtype)]; }
}  // namespace

size_t dtype_size(Dtype dtype) { return traits(dtype).size; }
std::string_view dtype_name(Dtype dtype) { return traits(dtype).name; }
bool dtype_is_floating(Dtype dtype) { return traits(dtype).floating; }

bool dtype_from_name(std::string_view name, Dtype& dtype) {
  for (int i = 0; i < kDtypeCount; ++i) {
    if (kTraits[i].name != name) continue;
    dtype = static_cast<Dtype>(i);
    return true;
  }
  return false;
}

}  // namespace sprue
