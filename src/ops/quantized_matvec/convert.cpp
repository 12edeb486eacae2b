#include "ops/quantized_matvec/convert.h"

#include <cmath>
#include <cstring>

namespace sprue {
namespace {

constexpr int64_t kBlockElements = 32;
constexpr int64_t kQ41Bytes = 20;
constexpr int64_t kQ80Bytes = 34;

// The number of blocks, or an error if the bytes aren't exactly those of the matrix.
Result<int64_t> count_blocks(std::span<const std::byte> blocks, int64_t rows, int64_t columns,
                             int64_t block_bytes, std::string_view origin) {
  if (rows < 0 || columns < 0 || columns % kBlockElements != 0) {
    return fail(ErrorCode::invalid_argument, origin,
                "expected rows of whole blocks of {} elements, got {} x {}", kBlockElements, rows,
                columns);
  }
  int64_t count = 0, bytes = 0;
  if (__builtin_mul_overflow(rows, columns / kBlockElements, &count) ||
      __builtin_mul_overflow(count, block_bytes, &bytes) ||
      static_cast<uint64_t>(bytes) != blocks.size()) {
    return fail(ErrorCode::invalid_argument, origin,
                "expected {} x {} elements in blocks of {} bytes, got {} bytes", rows, columns,
                block_bytes, blocks.size());
  }
  return count;
}

Float16 load_float16(const std::byte* source) {
  uint16_t bits;
  std::memcpy(&bits, source, sizeof bits);
  return Float16::from_bits(bits);
}

QuantizedMatrix allocate(int64_t rows, int64_t columns, int bits, Dtype scale_dtype) {
  const int64_t groups = columns / kBlockElements;
  return {Array::empty({rows, columns * bits / 32}, Dtype::uint32),
          Array::empty({rows, groups}, scale_dtype), Array::empty({rows, groups}, scale_dtype),
          bits, static_cast<int>(kBlockElements)};
}

// Eight nibbles of eight neighbouring bytes, the first in the lowest bits.
uint32_t gather_nibbles(const std::byte* source, int shift) {
  uint32_t word = 0;
  for (int i = 0; i < 8; ++i) {
    word |= (std::to_integer<uint32_t>(source[i]) >> shift & 0xfu) << 4 * i;
  }
  return word;
}

}  // namespace

Result<QuantizedMatrix> convert_q4_1(std::span<const std::byte> blocks, int64_t rows,
                                     int64_t columns) {
  SPRUE_ASSIGN(const int64_t count, count_blocks(blocks, rows, columns, kQ41Bytes, "convert_q4_1"));
  QuantizedMatrix matrix = allocate(rows, columns, 4, Dtype::float16);
  if (count == 0) return matrix;
  auto* words = matrix.weights.data<uint32_t>();
  auto* scales = matrix.scales.data<Float16>();
  auto* biases = matrix.biases.data<Float16>();
  for (int64_t i = 0; i < count; ++i) {
    const std::byte* block = blocks.data() + i * kQ41Bytes;
    scales[i] = load_float16(block);
    biases[i] = load_float16(block + 2);
    const std::byte* nibbles = block + 4;
    words[4 * i] = gather_nibbles(nibbles, 0);
    words[4 * i + 1] = gather_nibbles(nibbles + 8, 0);
    words[4 * i + 2] = gather_nibbles(nibbles, 4);
    words[4 * i + 3] = gather_nibbles(nibbles + 8, 4);
  }
  return matrix;
}

Result<QuantizedMatrix> convert_q8_0(std::span<const std::byte> blocks, int64_t rows,
                                     int64_t columns) {
  SPRUE_ASSIGN(const int64_t count, count_blocks(blocks, rows, columns, kQ80Bytes, "convert_q8_0"));
  // Times a power of two is exact in float16, denormals included, until it overflows.
  bool is_narrow = true;
  for (int64_t i = 0; i < count; ++i) {
    const float scale(load_float16(blocks.data() + i * kQ80Bytes));
    is_narrow &= !std::isfinite(scale) || std::abs(scale) * 128 <= 65504.0f;
  }
  QuantizedMatrix matrix = allocate(rows, columns, 8, is_narrow ? Dtype::float16 : Dtype::float32);
  if (count == 0) return matrix;
  auto* words = matrix.weights.data<uint32_t>();
  for (int64_t i = 0; i < count; ++i) {
    const std::byte* block = blocks.data() + i * kQ80Bytes;
    const float scale(load_float16(block));
    if (is_narrow) {
      matrix.scales.data<Float16>()[i] = load_float16(block);
      matrix.biases.data<Float16>()[i] = Float16(scale * -128);
    } else {
      matrix.scales.data<float>()[i] = scale;
      matrix.biases.data<float>()[i] = scale * -128;
    }
    std::memcpy(words + 8 * i, block + 2, kBlockElements);
    // int8 + 128 as uint8 flips the top bit; the order of bytes is that of a little-endian word.
    for (int64_t j = 0; j < 8; ++j) words[8 * i + j] ^= 0x80808080u;
  }
  return matrix;
}

}  // namespace sprue
