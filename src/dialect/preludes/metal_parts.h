// The library that a Metal body sees, on every target. What it needs of one stands before it
// (metal_target_cpu.h, metal_cuda_target.h), what a target defines of it behind.
#pragma once

// Each uses those before it.
// clang-format off
#include "math.h"
#include "metal_types.h"
#include "metal_as_type.h"
#include "metal_library.h"
// The generated text chooses the rest: dialect/prelude_parts.h.
#ifdef SPRUE_WITH_COMMON
#include "metal_common.h"
#endif
#ifdef SPRUE_WITH_INTEGERS
#include "metal_integer.h"
#endif
#ifdef SPRUE_WITH_LIMITS
#include "metal_limits.h"
#endif
#ifdef SPRUE_VECTOR_TYPES
#include "metal_vector.h"
#include "metal_vector_operators.h"
#ifdef SPRUE_WITH_ASSIGNABLE_SWIZZLES
#include "metal_vector_assignable.h"
#endif
#ifdef SPRUE_WITH_GEOMETRY
#include "metal_geometric.h"
#endif
#endif
#ifdef SPRUE_WITH_HELPERS
#include "metal_helpers.h"
#endif
#include "metal_simdgroup.h"
#ifdef SPRUE_WITH_ATOMICS
#include "metal_atomic.h"
#endif
#include "metal_positions.h"
// clang-format on
