// quad_sum, quad_shuffle and their kind: the simdgroup's functions over each four neighbouring lanes.
// Rules and types are those of metal_simdgroup_reduce.h and metal_simdgroup_move.h; the butterfly is by
// XOR 2, 1.
#pragma once

namespace metal {

#ifdef SPRUE_WITH_SIMD_REDUCTIONS
SPRUE_REDUCTIONS(quad, 4)
#endif
#ifdef SPRUE_WITH_SIMD_MOVES
SPRUE_MOVES(quad, 4)
#endif

}  // namespace metal
