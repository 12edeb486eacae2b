// The product of two simdgroup matrices by shuffles: A's row and B's columns come from their lanes. The
// sums are those that metal_simdgroup_matrix.h states; tensor cores add in another order.
#pragma once

namespace sprue_matrix {

// The lane that has the element, inverse to row() and column().
SPRUE_INLINE constexpr uint holder(uint row, uint column) {
  return row / 4 * 16 + row % 4 * 2 + column / 4 * 8 + column % 4 / 2;
}

SPRUE_INLINE float from_holder(uint lanes, float element, uint holder) {
  const float sent = ::__shfl_sync(lanes, element, holder);
  return sprue_simdgroup::has_lane(lanes, holder) ? sent : 0.0f;
}

SPRUE_INLINE metal::vec<float, 2> multiply_accumulate(metal::vec<float, 2> a,
                                                      metal::vec<float, 2> b,
                                                      metal::vec<float, 2> c) {
  const uint lanes = ::__activemask(), lane = sprue_simdgroup::lane();
#pragma unroll
  for (uint k = 0; k < 8; ++k) {
    const uint in_row = holder(row(lane), k), in_column = holder(k, column(lane));
    const float factor = from_holder(lanes, k % 2 ? a.y : a.x, in_row);
    c.x = sprue_math::fma(factor, from_holder(lanes, b.x, in_column), c.x);
    c.y = sprue_math::fma(factor, from_holder(lanes, b.y, in_column), c.y);
  }
  return c;
}

}  // namespace sprue_matrix
