// The native loop.
//
// Eight words of a row are taken at once: lane j holds word j, so the i-th element of every word sits at
// the same bit position of all lanes, and x is rearranged once a call to match (element i of words 0..7
// side by side). An element is masked where it stands and converted together with its power of two;
// x was divided by that power (exact down to the denormals), so no shift is needed:
//   x / 16^i * (word & 0xf << 4i)  ==  x * q.
// The upper half of a word is moved down once, to keep the masked integers within float's 24 bits.
// Per group: y += scale * sum(x * q) + bias * sum(x); the sums of x are shared by all rows.
#include "ops/quantized_matvec/quantized_matvec.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/thread_pool.h"
#include "ops/lanes.h"
#include "ops/widen.h"

namespace sprue {
namespace {

constexpr std::string_view kOrigin = "quantized_matvec";
constexpr int kLanes = 8;
// One piece of work for a thread.
constexpr int64_t kBytesPerPiece = 64 << 10;  // of weights
constexpr int64_t kRowsPerPiece = 256;

// x as the loop reads it: per block of 8 words, vector i holds element i of each word.
struct PreparedInput {
  std::vector<float> values;  // padded with zeros to whole blocks
  std::vector<float> sums;    // of each group
};

template <int Bits>
constexpr int kPerWord = 32 / Bits;
template <int Bits>
constexpr int kBlock = kLanes* kPerWord<Bits>;  // elements

// The bit position at which element i of a word is multiplied: the upper half word is moved down.
template <int Bits>
constexpr int position(int i) {
  return i * Bits % 16;
}

template <int Bits>
PreparedInput prepare(const Array& x, int group_size) {
  const Array packed = x.contiguous();
  const int64_t count = packed.size();
  std::vector<float> plain(static_cast<size_t>(count));
  widen(packed.dtype(), packed.address(), count, plain.data());
  PreparedInput input;
  const int64_t blocks = (count + kBlock<Bits> - 1) / kBlock<Bits>;
  input.values.assign(static_cast<size_t>(blocks * kBlock<Bits>), 0.0f);
  for (int64_t k = 0; k < count; ++k) {
    const int64_t block = k / kBlock<Bits>;
    const int within = static_cast<int>(k % kBlock<Bits>);
    const int i = within % kPerWord<Bits>, lane = within / kPerWord<Bits>;
    input.values[static_cast<size_t>(block * kBlock<Bits> + i * kLanes + lane)] =
        plain[static_cast<size_t>(k)] / static_cast<float>(1 << position<Bits>(i));
  }
  input.sums.resize(static_cast<size_t>(count / group_size));
  for (size_t group = 0; group < input.sums.size(); ++group) {
    double sum = 0;
    for (int i = 0; i < group_size; ++i) sum += plain[group * static_cast<size_t>(group_size) + i];
    input.sums[group] = static_cast<float>(sum);
  }
  return input;
}

// sum of x * q over one block, a partial sum in each lane.
template <int Bits>
inline Float8 multiply_block(UInt8 words, const float* x) {
  constexpr int kHalf = kPerWord<Bits> / 2;
  constexpr uint32_t kMask = (1u << Bits) - 1;
  const UInt8 upper = words >> 16;
  Float8 low{}, high{};
  for (int i = 0; i < kHalf; ++i) {
    const uint32_t mask = kMask << position<Bits>(i);
    low = fused(to_float(words & mask), load_lanes<Float8>(x + i * kLanes), low);
    high = fused(to_float(upper & mask), load_lanes<Float8>(x + (i + kHalf) * kLanes), high);
  }
  return low + high;
}

// Scales of the lanes of one block: a group spans half a block, a whole one, or several.
template <int Bits, int Group>
inline Float8 block_scales(const float* scales, uint64_t block) {
  if constexpr (Group * 2 == kBlock<Bits>) {
    return lower_and_upper(scales[2 * block], scales[2 * block + 1]);
  } else {
    return broadcast(scales[block / (Group / kBlock<Bits>)]);
  }
}

template <int Bits, int Group>
float multiply_row(const uint32_t* words, const float* scales, const float* biases,
                   const PreparedInput& input, uint64_t word_count) {
  const float* x = input.values.data();
  const uint64_t blocks = word_count / kLanes;
  Float8 total{};
  for (uint64_t block = 0; block < blocks; ++block) {
    total = fused(
        multiply_block<Bits>(load_lanes<UInt8>(words + block * kLanes), x + block * kBlock<Bits>),
        block_scales<Bits, Group>(scales, block), total);
  }
  if constexpr (Group * 2 == kBlock<Bits>) {
    // The row may end with half a block: one group.
    if (word_count % kLanes != 0) {
      uint32_t last[kLanes] = {};
      std::copy_n(words + blocks * kLanes, kLanes / 2, last);
      total = fused(multiply_block<Bits>(load_lanes<UInt8>(last), x + blocks * kBlock<Bits>),
                    lower_and_upper(scales[2 * blocks], 0), total);
    }
  }
  const size_t groups = input.sums.size();
  const float* sums = input.sums.data();
  Float8 offsets{};
  size_t group = 0;
  for (; group + kLanes <= groups; group += kLanes) {
    offsets = fused(load_lanes<Float8>(biases + group), load_lanes<Float8>(sums + group), offsets);
  }
  float tail = 0;
  for (; group < groups; ++group) tail = std::fma(biases[group], sums[group], tail);
  return sum_lanes(total) + (sum_lanes(offsets) + tail);
}

template <int Bits, int Group>
void multiply(const QuantizedMatrix& matrix, const Array& x, Array& y) {
  const PreparedInput input = prepare<Bits>(x, Group);
  const int64_t word_count = matrix.weights.shape()[1];
  const auto groups = static_cast<int64_t>(input.sums.size());
  const Dtype dtype = matrix.scales.dtype();
  const auto scale_size = static_cast<int64_t>(dtype_size(dtype));
  const auto* words = static_cast<const uint32_t*>(matrix.weights.address());
  const auto* scales = static_cast<const std::byte*>(matrix.scales.address());
  const auto* biases = static_cast<const std::byte*>(matrix.biases.address());
  auto* results = static_cast<std::byte*>(y.address());
  const auto result_size = static_cast<int64_t>(dtype_size(y.dtype()));
  const int64_t piece =
      std::clamp<int64_t>(kBytesPerPiece / std::max<int64_t>(1, 4 * word_count), 1, kRowsPerPiece);
  parallel_for(matrix.rows(), piece, [&](int64_t begin, int64_t end) {
    std::vector<float> row_scales(static_cast<size_t>(piece * groups));
    std::vector<float> row_biases(row_scales.size());
    float row_results[kRowsPerPiece];
    for (int64_t first = begin; first < end; first += piece) {
      const int64_t rows = std::min(piece, end - first);
      widen(dtype, scales + first * groups * scale_size, rows * groups, row_scales.data());
      widen(dtype, biases + first * groups * scale_size, rows * groups, row_biases.data());
      for (int64_t row = 0; row < rows; ++row) {
        row_results[row] = multiply_row<Bits, Group>(
            words + (first + row) * word_count, row_scales.data() + row * groups,
            row_biases.data() + row * groups, input, static_cast<uint64_t>(word_count));
      }
      narrow(y.dtype(), row_results, rows, results + first * result_size);
    }
  });
}

template <int Bits>
void multiply(const QuantizedMatrix& matrix, const Array& x, Array& y) {
  switch (matrix.group_size) {
    case 32:
      return multiply<Bits, 32>(matrix, x, y);
    case 64:
      return multiply<Bits, 64>(matrix, x, y);
    default:
      return multiply<Bits, 128>(matrix, x, y);
  }
}

}  // namespace

Status quantized_matvec_into(const QuantizedMatrix& matrix, const Array& x, Array& y) {
  SPRUE_CHECK(check_quantized_matrix(matrix, kOrigin));
  if (!is_widenable(x.dtype()) || !(x.shape() == Shape{matrix.columns()})) {
    return fail(ErrorCode::invalid_argument, kOrigin,
                "expected x of float32, float16 or bfloat16 and shape ({},), got {} {}",
                matrix.columns(), dtype_name(x.dtype()), to_string(x.shape()));
  }
  if (y.dtype() != x.dtype() || !(y.shape() == Shape{matrix.rows()}) || !y.is_row_contiguous() ||
      !y.is_writable()) {
    return fail(ErrorCode::invalid_argument, kOrigin,
                "expected a row-contiguous, writable y of {} ({},), got {} {}",
                dtype_name(x.dtype()), matrix.rows(), dtype_name(y.dtype()), to_string(y.shape()));
  }
  QuantizedMatrix packed = matrix;
  packed.weights = matrix.weights.contiguous();
  packed.scales = matrix.scales.contiguous();
  packed.biases = matrix.biases.contiguous();
  if (packed.bits == 4) {
    multiply<4>(packed, x, y);
  } else {
    multiply<8>(packed, x, y);
  }
  return {};
}

Result<Array> quantized_matvec(const QuantizedMatrix& matrix, const Array& x) {
  SPRUE_CHECK(check_quantized_matrix(matrix, kOrigin));
  Array y = Array::empty({matrix.rows()}, x.dtype());
  SPRUE_CHECK(quantized_matvec_into(matrix, x, y));
  return y;
}

}  // namespace sprue
