// The end of the library, compiled as the user's text is: operators of vectors as those that the user
// writes on scalars.
#pragma once

#ifdef SPRUE_VECTOR_TYPES
namespace metal {
SPRUE_VECTOR_TYPES
SPRUE_VECTOR_FUNCTIONS
}  // namespace metal
#endif
#include "metal_fast.h"

#define __METAL_VERSION__ 310
