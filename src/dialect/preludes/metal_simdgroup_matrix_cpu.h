// The product of two simdgroup matrices on the CPU: one collective, in which the combining function has
// all 64 elements of each matrix. On a GPU the same sums come from shuffles of A's row and B's column.
#pragma once

namespace sprue_matrix {

struct Operands {
  metal::vec<float, 2> a, b, c;  // c: the sums, too
};

struct MultiplyAccumulate {
  static void run(SprueSimdgroup* simdgroup, sprue_u32 lanes) {
    float a[8][8] = {}, b[8][8] = {}, c[8][8] = {};
    for (uint lane = 0; lane < 32; ++lane) {
      if (!(lanes >> lane & 1u)) continue;
      const Operands own = sprue_simdgroup::lane_value<Operands>(simdgroup, lane);
      const uint r = row(lane), k = column(lane);
      a[r][k] = own.a.x, a[r][k + 1] = own.a.y;
      b[r][k] = own.b.x, b[r][k + 1] = own.b.y;
      c[r][k] = own.c.x, c[r][k + 1] = own.c.y;
    }
    for (uint r = 0; r < 8; ++r)
      for (uint k = 0; k < 8; ++k)
        for (uint j = 0; j < 8; ++j) c[r][j] = sprue_math::fma(a[r][k], b[k][j], c[r][j]);
    for (uint lane = 0; lane < 32; ++lane) {
      if (!(lanes >> lane & 1u)) continue;
      const uint r = row(lane), k = column(lane);
      reinterpret_cast<Operands*>(simdgroup->values[lane])->c =
          metal::vec<float, 2>(c[r][k], c[r][k + 1]);
    }
  }
};

SPRUE_INLINE metal::vec<float, 2> multiply_accumulate(metal::vec<float, 2> a,
                                                      metal::vec<float, 2> b,
                                                      metal::vec<float, 2> c) {
  return sprue_simdgroup::collective<MultiplyAccumulate>(Operands{a, b, c}).c;
}

}  // namespace sprue_matrix
