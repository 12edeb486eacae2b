#include "array/strided_copy.h"

namespace sprue {

namespace {

template <typename Word>
void copy_words(const Array& array, Word* destination) {
  const auto& shape = array.shape();
  const auto& strides = array.strides();
  const auto* row = static_cast<const Word*>(array.address());
  const int outer = array.ndim() - 1;
  const int64_t length = shape[static_cast<size_t>(outer)];
  const int64_t step = strides[static_cast<size_t>(outer)];
  Shape index(static_cast<size_t>(outer), 0);
  for (int64_t done = 0; done < array.size(); done += length) {
    for (int64_t i = 0; i < length; ++i) *destination++ = row[i * step];
    for (int axis = outer - 1; axis >= 0; --axis) {  // an odometer over the outer dimensions
      const auto a = static_cast<size_t>(axis);
      if (++index[a] < shape[a]) {
        row += strides[a];
        break;
      }
      row -= strides[a] * (shape[a] - 1);
      index[a] = 0;
    }
  }
}

}  // namespace

void copy_strided(const Array& array, void* destination) {
  if (array.size() == 0) return;
  if (array.is_row_contiguous()) {
    std::memcpy(destination, array.address(), static_cast<size_t>(array.size_bytes()));
    return;
  }
  switch (dtype_size(array.dtype())) {
    case 1:
      return copy_words(array, static_cast<uint8_t*>(destination));
    case 2:
      return copy_words(array, static_cast<uint16_t*>(destination));
    case 4:
      return copy_words(array, static_cast<uint32_t*>(destination));
    default:
      return copy_words(array, static_cast<uint64_t*>(destination));
  }
}

}  // namespace sprue
