#include "models/ggml_type.h"

#include <cstring>

#include "sprue/half.h"

namespace sprue {

namespace {

constexpr GgmlTypeTraits kTraits[] = {
    {GgmlType::f32, "F32", 1, 4},       {GgmlType::f16, "F16", 1, 2},
    {GgmlType::bf16, "BF16", 1, 2},     {GgmlType::q4_0, "Q4_0", 32, 18},
    {GgmlType::q4_1, "Q4_1", 32, 20},   {GgmlType::q5_0, "Q5_0", 32, 22},
    {GgmlType::q5_1, "Q5_1", 32, 24},   {GgmlType::q8_0, "Q8_0", 32, 34},
    {GgmlType::q4_k, "Q4_K", 256, 144}, {GgmlType::q6_k, "Q6_K", 256, 210},
};

using Byte = unsigned char;

float half_at(const Byte* bytes) {
  return float(Float16::from_bits(static_cast<uint16_t>(bytes[0] | bytes[1] << 8)));
}

void dequantize_f32(const Byte* block, float* values) { std::memcpy(values, block, 4); }
void dequantize_f16(const Byte* block, float* values) { *values = half_at(block); }
void dequantize_bf16(const Byte* block, float* values) {
  *values = float(BFloat16::from_bits(static_cast<uint16_t>(block[0] | block[1] << 8)));
}

void dequantize_q8_0(const Byte* block, float* values) {
  const float d = half_at(block);
  for (int i = 0; i < 32; ++i)
    values[i] = d * static_cast<float>(static_cast<int8_t>(block[2 + i]));
}

// Low nibbles hold the first half of the block, high nibbles the second.
void dequantize_q4_1(const Byte* block, float* values) {
  const float d = half_at(block), m = half_at(block + 2);
  for (int i = 0; i < 16; ++i) {
    const Byte pair = block[4 + i];
    values[i] = d * static_cast<float>(pair & 15) + m;
    values[i + 16] = d * static_cast<float>(pair >> 4) + m;
  }
}

// Two halves of 128 elements. In each, element 32 * group + i takes its low 4 bits from a nibble of
// low[(group % 2) * 32 + i] (the high one for groups 2 and 3) and its upper 2 bits from high[i].
void dequantize_q6_k(const Byte* block, float* values) {
  const float d = half_at(block + 208);
  for (int half = 0; half < 2; ++half) {
    const Byte* low = block + 64 * half;
    const Byte* high = block + 128 + 32 * half;
    const Byte* scales = block + 192 + 8 * half;
    for (int group = 0; group < 4; ++group)
      for (int i = 0; i < 32; ++i) {
        const int nibble = low[(group % 2) * 32 + i] >> (group / 2 * 4) & 15;
        const int quant = (nibble | (high[i] >> (2 * group) & 3) << 4) - 32;
        const auto scale = static_cast<int8_t>(scales[2 * group + i / 16]);
        *values++ = d * static_cast<float>(scale) * static_cast<float>(quant);
      }
  }
}

using Dequantize = void (*)(const Byte* block, float* values);

Dequantize dequantizer(GgmlType type) {
  switch (type) {
    case GgmlType::f32:
      return dequantize_f32;
    case GgmlType::f16:
      return dequantize_f16;
    case GgmlType::bf16:
      return dequantize_bf16;
    case GgmlType::q8_0:
      return dequantize_q8_0;
    case GgmlType::q4_1:
      return dequantize_q4_1;
    case GgmlType::q6_k:
      return dequantize_q6_k;
    default:
      return nullptr;
  }
}

}  // namespace

const GgmlTypeTraits* ggml_type_traits(uint32_t number) {
  for (const auto& traits : kTraits)
    if (static_cast<uint32_t>(traits.type) == number) return &traits;
  return nullptr;
}

const GgmlTypeTraits& ggml_type_traits(GgmlType type) {
  return *ggml_type_traits(static_cast<uint32_t>(type));
}

Status dequantize(GgmlType type, std::span<const std::byte> blocks, std::span<float> values) {
  const GgmlTypeTraits& traits = ggml_type_traits(type);
  const Dequantize one_block = dequantizer(type);
  if (!one_block)
    return fail(ErrorCode::invalid_argument, "gguf",
                "expected a tensor of F32, F16, BF16, Q8_0, Q4_1 or Q6_K to dequantize, got {}",
                traits.name);
  const size_t count = values.size() / traits.block_elements;
  if (values.size() % traits.block_elements || blocks.size() % traits.block_bytes ||
      blocks.size() / traits.block_bytes != count)
    return fail(ErrorCode::invalid_argument, "gguf",
                "expected whole blocks of {} for {} elements, got {} bytes", traits.name,
                values.size(), blocks.size());
  const auto* block = reinterpret_cast<const Byte*>(blocks.data());
  for (size_t i = 0; i < count; ++i)
    one_block(block + i * traits.block_bytes, values.data() + i * traits.block_elements);
  return {};
}

}  // namespace sprue
