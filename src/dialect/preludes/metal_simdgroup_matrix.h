// simdgroup_matrix<T, 8, 8>: 64 elements held by the 32 lanes of a simdgroup, two a lane.
//
//   simdgroup_float8x8 sum = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
//   simdgroup_half8x8 a, b;
//   simdgroup_load(a, tile, 32);                        // 32 elements from row to row
//   simdgroup_load(b, weights, 64, ulong2(8, 0), true); // from column 8 on, transposed
//   simdgroup_multiply_accumulate(sum, a, b, sum);
//   simdgroup_store(sum, out, 8);
//
// Lane l holds the elements of row l / 16 * 4 + l / 2 % 4 in the columns l / 8 % 2 * 4 + l % 2 * 2 and
// the next one: the layout that Apple's processors have, and that kernels which use thread_elements()
// count on.
//
//   lane  0  0  1  1   8  8  9  9      lanes 0-15 hold rows 0-3,
//         2  2  3  3  10 10 11 11      lanes 16-31 rows 4-7
//         4  4  5  5  12 12 13 13
//         6  6  7  7  14 14 15 15
//
// All lanes of a simdgroup have to call these functions together; an element of a lane that doesn't
// exist counts as zero. What other lanes wrote to memory is there after a barrier only, as in Metal.
//
// A product is computed in float whatever the types are: fused multiply-adds onto the element of C, or
// onto 0, in the order of the columns of A; the sum is rounded once, to the result's type. So every
// device gives the same bits.
//
// This text is for every target. It takes from the target sprue_simdgroup::lane(), and the definition of
// sprue_matrix::multiply_accumulate.
#pragma once

namespace sprue_matrix {

SPRUE_INLINE constexpr uint row(uint lane) { return lane / 16 * 4 + lane / 2 % 4; }
// Of the first of the lane's two elements.
SPRUE_INLINE constexpr uint column(uint lane) { return lane / 8 % 2 * 4 + lane % 2 * 2; }
// The lane's elements of a * b + c.
SPRUE_INLINE metal::vec<float, 2> multiply_accumulate(metal::vec<float, 2> a,
                                                      metal::vec<float, 2> b,
                                                      metal::vec<float, 2> c);

}  // namespace sprue_matrix

namespace metal {

template <typename T, int kColumns, int kRows = kColumns>
struct simdgroup_matrix {
  static_assert(kColumns == 8 && kRows == 8, "simdgroup_matrix has 8 columns and 8 rows");
  static_assert(sprue_types::is_floating<T>::value,
                "simdgroup_matrix is for float, half and bfloat");

  simdgroup_matrix() = default;
  // A diagonal matrix.
  SPRUE_MEMBER explicit simdgroup_matrix(T diagonal) : elements_(T(0.0f)) {
    const uint lane = sprue_simdgroup::lane();
    const uint row = sprue_matrix::row(lane), column = sprue_matrix::column(lane);
    if (row == column) elements_.x = diagonal;
    if (row == column + 1) elements_.y = diagonal;
  }

  // The lane's own two elements.
  SPRUE_MEMBER vec<T, 2>& thread_elements() { return elements_; }
  SPRUE_MEMBER const vec<T, 2>& thread_elements() const { return elements_; }

 private:
  vec<T, 2> elements_;
};
typedef simdgroup_matrix<float, 8, 8> simdgroup_float8x8;
typedef simdgroup_matrix<half, 8, 8> simdgroup_half8x8;
typedef simdgroup_matrix<bfloat, 8, 8> simdgroup_bfloat8x8;

template <typename T, int kColumns, int kRows = kColumns>
SPRUE_INLINE simdgroup_matrix<T, kColumns, kRows> make_filled_simdgroup_matrix(T value) {
  simdgroup_matrix<T, kColumns, kRows> filled;
  filled.thread_elements() = vec<T, 2>(value);
  return filled;
}

}  // namespace metal

namespace sprue_matrix {

// Where the lane's first element is in memory, and how far from it the second one.
struct Place {
  ulong offset, step;  // elements
};
// The block starts at column origin.x of row origin.y in memory, whether or not it is transposed.
SPRUE_INLINE Place place(ulong elements_per_row, metal::vec<ulong, 2> origin, bool transposed) {
  const uint lane = sprue_simdgroup::lane();
  const ulong r = transposed ? column(lane) : row(lane);
  const ulong c = transposed ? row(lane) : column(lane);
  return {(origin.y + r) * elements_per_row + origin.x + c, transposed ? elements_per_row : 1};
}

}  // namespace sprue_matrix

namespace metal {

template <typename T, int kColumns, int kRows>
SPRUE_INLINE void simdgroup_load(simdgroup_matrix<T, kColumns, kRows>& matrix, const T* source,
                                 ulong elements_per_row = kColumns,
                                 vec<ulong, 2> matrix_origin = vec<ulong, 2>(0ul),
                                 bool transpose_matrix = false) {
  const sprue_matrix::Place at =
      sprue_matrix::place(elements_per_row, matrix_origin, transpose_matrix);
  matrix.thread_elements().x = source[at.offset];
  matrix.thread_elements().y = source[at.offset + at.step];
}

template <typename T, int kColumns, int kRows>
SPRUE_INLINE void simdgroup_store(const simdgroup_matrix<T, kColumns, kRows>& matrix,
                                  T* destination, ulong elements_per_row = kColumns,
                                  vec<ulong, 2> matrix_origin = vec<ulong, 2>(0ul),
                                  bool transpose_matrix = false) {
  const sprue_matrix::Place at =
      sprue_matrix::place(elements_per_row, matrix_origin, transpose_matrix);
  destination[at.offset] = matrix.thread_elements().x;
  destination[at.offset + at.step] = matrix.thread_elements().y;
}

template <typename D, typename A, typename B, typename C>
SPRUE_INLINE void simdgroup_multiply_accumulate(simdgroup_matrix<D, 8, 8>& d,
                                                const simdgroup_matrix<A, 8, 8>& a,
                                                const simdgroup_matrix<B, 8, 8>& b,
                                                const simdgroup_matrix<C, 8, 8>& c) {
  typedef vec<float, 2> Float2;
  d.thread_elements() = vec<D, 2>(sprue_matrix::multiply_accumulate(
      Float2(a.thread_elements()), Float2(b.thread_elements()), Float2(c.thread_elements())));
}

template <typename D, typename A, typename B>
SPRUE_INLINE void simdgroup_multiply(simdgroup_matrix<D, 8, 8>& d,
                                     const simdgroup_matrix<A, 8, 8>& a,
                                     const simdgroup_matrix<B, 8, 8>& b) {
  simdgroup_multiply_accumulate(d, a, b, make_filled_simdgroup_matrix<float, 8, 8>(0.0f));
}

}  // namespace metal
