// Headers of Metal's library that a text may include. What they declare is there without them, so each
// compiler finds an empty file.
//
// Read by clang's library too, so it includes nothing of ours.
#pragma once

inline constexpr const char* kSprueMetalHeaders[] = {"metal_stdlib",
                                                     "metal_math",
                                                     "metal_integer",
                                                     "metal_common",
                                                     "metal_geometric",
                                                     "metal_relational",
                                                     "metal_simdgroup",
                                                     "metal_simdgroup_matrix",
                                                     "metal_quadgroup",
                                                     "metal_atomic",
                                                     "metal_limits",
                                                     "metal_compute",
                                                     "metal_config",
                                                     "metal_types",
                                                     "metal_numeric",
                                                     "metal_type_traits",
                                                     "metal_extended_vector",
                                                     "metal_matrix",
                                                     "metal_pack",
                                                     "metal_array",
                                                     "simd/simd.h"};
