// fast:: and precise:: name the same functions here: the safe form, the same bits on every device.
// Included last, for it takes what is declared so far.
#pragma once

namespace metal {

namespace fast {
using metal::fabs, metal::abs, metal::fmin, metal::fmax, metal::min, metal::max, metal::clamp;
using metal::floor, metal::ceil, metal::trunc, metal::rint, metal::round, metal::fract;
using metal::fma;
using metal::sqrt, metal::rsqrt, metal::divide, metal::fmod;
#ifdef SPRUE_WITH_ELEMENTARY
using metal::exp, metal::exp2, metal::exp10, metal::log, metal::log2, metal::log10;
using metal::pow, metal::powr;
using metal::sin, metal::cos, metal::tan, metal::asin, metal::acos, metal::atan, metal::atan2;
using metal::sinh, metal::cosh, metal::tanh, metal::asinh, metal::acosh, metal::atanh;
#endif
#ifdef SPRUE_WITH_COMMON
using metal::saturate, metal::sincos;
#endif
#if defined(SPRUE_VECTOR_TYPES) && defined(SPRUE_WITH_GEOMETRY)
using metal::length, metal::distance, metal::normalize;
#endif
}  // namespace fast
namespace precise = fast;

}  // namespace metal
