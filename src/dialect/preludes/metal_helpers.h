// Functions that MLX puts in front of a kernel: places of strided elements, division rounded up.
#pragma once

// Where an element of a strided array lies, counted in elements.
template <typename Index>
SPRUE_INLINE int64_t elem_to_loc(Index element, const int* shape, const int64_t* strides,
                                 int ndim) {
  int64_t location = 0;
  for (int axis = ndim - 1; axis >= 0; --axis) {
    const Index extent = static_cast<Index>(shape[axis]);
    location += static_cast<int64_t>(element % extent) * strides[axis];
    element /= extent;
  }
  return location;
}
SPRUE_INLINE int64_t elem_to_loc_1(uint element, const int64_t& stride) { return element * stride; }

template <typename T, typename U>
SPRUE_INLINE constexpr T ceildiv(T dividend, U divisor) {
  return (dividend + divisor - 1) / divisor;
}

template <typename T, typename U>
SPRUE_INLINE constexpr T cast_to(U value) {
  return static_cast<T>(value);
}

#ifdef SPRUE_VECTOR_TYPES
// x and y count along the last two axes, z along all those before them.
SPRUE_INLINE int64_t elem_to_loc(metal::vec<uint, 3> element, const int* shape,
                                 const int64_t* strides, int ndim) {
  return element.x * strides[ndim - 1] + element.y * strides[ndim - 2] +
         elem_to_loc(element.z, shape, strides, ndim - 2);
}
SPRUE_INLINE int64_t elem_to_loc_2(metal::vec<uint, 2> element, const int64_t* strides) {
  return element.x * strides[1] + element.y * strides[0];
}
SPRUE_INLINE int64_t elem_to_loc_3(metal::vec<uint, 3> element, const int64_t* strides) {
  return element.x * strides[2] + element.y * strides[1] + element.z * strides[0];
}
#endif
