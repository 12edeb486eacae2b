#include "dialect/prelude_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "dialect/swizzle.h"
#include "program/signature.h"

namespace sprue {

namespace {

using Words = std::initializer_list<std::string_view>;

// Something of the prelude and what in a text asks for it.
struct Part {
  std::string_view macro;
  Words words;
};
const Part kFunctions[] = {
    {"SPRUE_WITH_COMMON",
     {"isnormal", "isordered", "isunordered", "sincos", "modf", "frexp", "ilogb", "nextafter",
      "mix", "saturate", "step", "smoothstep", "min3", "max3", "median3", "fmin3", "fmax3",
      "fmedian3"}},
    {"SPRUE_WITH_INTEGERS",
     {"popcount", "clz", "ctz", "reverse_bits", "rotate", "extract_bits", "insert_bits", "absdiff",
      "hadd", "rhadd", "addsat", "subsat", "mulhi", "madhi", "madsat", "mul24", "mad24"}},
    {"SPRUE_WITH_HELPERS",
     {"elem_to_loc", "elem_to_loc_1", "elem_to_loc_2", "elem_to_loc_3", "ceildiv", "cast_to"}},
};
const Part kNames[] = {
    {"SPRUE_WITH_ELEMENTARY",
     {"exp",  "exp2", "exp10", "expm1", "log",   "log2", "log10", "log1p", "sin",
      "cos",  "tan",  "sinpi", "cospi", "tanpi", "asin", "acos",  "atan",  "sinh",
      "cosh", "tanh", "asinh", "acosh", "atanh", "pow",  "powr",  "atan2"}},
    {"SPRUE_WITH_LIMITS",
     {"numeric_limits", "Limits",       "MAXFLOAT",     "FLT_RADIX",       "FLT_DIG",
      "FLT_MANT_DIG",   "FLT_MIN_EXP",  "FLT_MAX_EXP",  "FLT_MIN_10_EXP",  "FLT_MAX_10_EXP",
      "MAXHALF",        "HALF_MIN",     "HALF_EPSILON", "HALF_RADIX",      "HALF_DIG",
      "HALF_MANT_DIG",  "HALF_MIN_EXP", "HALF_MAX_EXP", "HALF_MIN_10_EXP", "HALF_MAX_10_EXP",
      "MAXBFLOAT",      "HUGE_VALBF",   "SCHAR_MAX",    "SCHAR_MIN",       "CHAR_MAX",
      "CHAR_MIN",       "UCHAR_MAX",    "SHRT_MAX",     "SHRT_MIN",        "USHRT_MAX",
      "LONG_MAX",       "LONG_MIN",     "ULONG_MAX",    "M_E_H",           "M_LOG2E_H",
      "M_LOG10E_H",     "M_LN2_H",      "M_LN10_H",     "M_PI_H",          "M_PI_2_H",
      "M_PI_4_H",       "M_1_PI_H",     "M_2_PI_H",     "M_2_SQRTPI_H",    "M_SQRT2_H",
      "M_SQRT1_2_H"}}};
// Only with vectors; written with these operators.
const Part kGeometry = {"SPRUE_WITH_GEOMETRY",
                        {"any", "all", "dot", "cross", "length", "length_squared", "distance",
                         "distance_squared", "normalize", "reflect", "refract", "faceforward"}};
constexpr std::string_view kGeometryOperators[] = {"+", "-", "*"};

// Vector forms of functions, by the macro of metal_vector_operators.h that declares them.
const Part kVectorFunctions[] = {
    {"SPRUE_VECTOR_OF_ONE",
     {"exp",   "exp2",  "exp10",    "expm1", "log",   "log2",     "log10",       "log1p",
      "sin",   "cos",   "tan",      "sinpi", "cospi", "tanpi",    "asin",        "acos",
      "atan",  "sinh",  "cosh",     "tanh",  "asinh", "acosh",    "atanh",       "sqrt",
      "rsqrt", "floor", "ceil",     "trunc", "rint",  "round",    "fract",       "sign",
      "fabs",  "abs",   "saturate", "clz",   "ctz",   "popcount", "reverse_bits"}},
    {"SPRUE_VECTOR_TEST", {"isnan", "isinf", "isfinite", "isnormal", "signbit"}},
    {"SPRUE_VECTOR_OF_TWO", {"pow",      "powr",   "atan2",     "fmod",   "fmin",  "fmax", "fdim",
                             "copysign", "divide", "nextafter", "min",    "max",   "step", "rotate",
                             "hadd",     "rhadd",  "addsat",    "subsat", "mulhi", "mul24"}},
    {"SPRUE_VECTOR_TEST_OF_TWO", {"isordered", "isunordered"}},
    {"SPRUE_VECTOR_OF_THREE",
     {"fma", "clamp", "mix", "smoothstep", "min3", "max3", "median3", "fmin3", "fmax3", "fmedian3",
      "madhi", "madsat", "mad24"}},
};
constexpr std::string_view kOwnMacro[] = {"sincos",      "modf",    "frexp",
                                          "ldexp",       "ilogb",   "extract_bits",
                                          "insert_bits", "absdiff", "select"};

// Names that begin so.
const Part kPrefixes[] = {
    {"SPRUE_WITH_SIMD_REDUCTIONS",
     {"simd_sum", "simd_p", "simd_m", "simd_and", "simd_or", "simd_x", "quad_sum", "quad_p",
      "quad_m", "quad_and", "quad_or", "quad_x"}},
    {"SPRUE_WITH_SIMD_MOVES",
     {"simd_shuffle", "simd_b", "simd_v", "simd_any", "simd_all", "simd_active", "simd_is",
      "quad_shuffle", "quad_b", "quad_v", "quad_any", "quad_all", "quad_active", "quad_is"}},
    {"SPRUE_WITH_QUADGROUPS", {"quad_"}},
    {"SPRUE_WITH_ATOMICS", {"atomic", "memory_order", "thread_scope"}},
};
// Built on vectors.
const Part kMatrices = {"SPRUE_WITH_SIMDGROUP_MATRICES",
                        {"simdgroup_matrix", "simdgroup_float8x8", "simdgroup_half8x8",
                         "simdgroup_bfloat8x8", "make_filled_simdgroup_matrix", "simdgroup_load",
                         "simdgroup_store", "simdgroup_multiply", "simdgroup_multiply_accumulate"}};

// Operators, with the tokens that may be theirs.
const Part kOperators[] = {
    {"SPRUE_VECTOR_ARITHMETIC(+)", {"+", "+=", "++"}},
    {"SPRUE_VECTOR_ARITHMETIC(-)", {"-", "-=", "--"}},
    {"SPRUE_VECTOR_ARITHMETIC(*)", {"*", "*="}},
    {"SPRUE_VECTOR_ARITHMETIC(/)", {"/", "/="}},
    {"SPRUE_VECTOR_MODULO(%)", {"%", "%="}},
    {"SPRUE_VECTOR_BITWISE(&)", {"&", "&="}},
    {"SPRUE_VECTOR_BITWISE(|)", {"|", "|="}},
    {"SPRUE_VECTOR_BITWISE(^)", {"^", "^="}},
    {"SPRUE_VECTOR_SHIFT(<<)", {"<<", "<<="}},
    {"SPRUE_VECTOR_SHIFT(>>)", {">>"}},
    {"SPRUE_VECTOR_COMPARISON(==)", {"=="}},
    {"SPRUE_VECTOR_COMPARISON(!=)", {"!="}},
    {"SPRUE_VECTOR_COMPARISON(<)", {"<"}},
    {"SPRUE_VECTOR_COMPARISON(<=)", {"<="}},
    {"SPRUE_VECTOR_COMPARISON(>)", {">"}},
    {"SPRUE_VECTOR_COMPARISON(>=)", {">="}},
    {"SPRUE_VECTOR_LOGICAL(&&)", {"&&"}},
    {"SPRUE_VECTOR_LOGICAL(||)", {"||"}},
    {"SPRUE_VECTOR_SIGN(+)", {"+"}},
    {"SPRUE_VECTOR_SIGN(-)", {"-"}},
    {"SPRUE_VECTOR_COMPLEMENT(~)", {"~"}},
    {"SPRUE_VECTOR_NOT(!)", {"!"}},
    {"SPRUE_VECTOR_STEP(+)", {"++"}},
    {"SPRUE_VECTOR_STEP(-)", {"--"}},
};
constexpr std::string_view kElements[] = {"bool", "char", "uchar", "short", "ushort", "int",
                                          "uint", "long", "ulong", "half",  "bfloat", "float"};
constexpr std::string_view kPacked = "packed_";

bool is_position(std::string_view word) {
  for (int i = 0; i < kAttributeCount; ++i) {
    const AttributeTraits& traits = attribute_traits(static_cast<Attribute>(i));
    if (traits.name == word) return traits.type == "uint3";
  }
  return false;
}

// The type's elements and count: "packed_half3" without prefix and digit.
std::string_view element_of(std::string_view type) {
  if (type.starts_with(kPacked)) type.remove_prefix(kPacked.size());
  if (!type.empty()) type.remove_suffix(1);
  return type;
}

std::string type_definition(std::string_view name) {
  return fmt::format(" typedef vec<{}, {}{}> {};", element_of(name), name.back(),
                     name.starts_with(kPacked) ? ", true" : "", name);
}

// Called, given template arguments, or an argument of a macro that may call it; not `step += 1`.
bool may_be_function(const Code& code, size_t i) {
  const std::string_view next = i + 1 < code.run_end(i) ? code.text(i + 1) : std::string_view();
  return next.empty() || next == "(" || next == "<" || next == ")" || next == ",";
}

}  // namespace

bool is_vector_type_name(std::string_view word) {
  const std::string_view element = element_of(word);
  return !word.empty() && word.back() >= '2' && word.back() <= '4' &&
         std::find(std::begin(kElements), std::end(kElements), element) != std::end(kElements);
}

void PreludeParts::add(const Code& code) {
  for (size_t i = 0; i < code.size(); ++i) {
    if (code.is_directive(i) && !code.is_define(i)) {
      everything_ |=
          directive_name(code[i]) == "include" && code[i].text.find('"') != std::string_view::npos;
      continue;
    }
    const std::string_view text = code.text(i);
    words_.insert(text);
    if (code.is_identifier(i) && may_be_function(code, i)) calls_.insert(text);
    everything_ |= text == "##";
    if (text == ">" && i + 1 < code.size() && code[i + 1].offset == code[i].offset + 1) {
      if (code.text(i + 1) == ">") words_.insert(">>");
      if (code.text(i + 1) == "=") words_.insert(">=");
    }
    if (!is_position(text)) continue;
    const std::string_view next = code.text(i + 1);
    has_whole_position_ |= next != "[" && !(next == "." && code.text(i + 2).size() == 1);
  }
}

void PreludeParts::add_swizzles(const std::set<std::string>& names) {
  swizzles_.insert(names.begin(), names.end());
}

bool PreludeParts::has_vectors() const {
  return everything_ || has_whole_position_ || !swizzles_.empty() || words_.contains("vec") ||
         uses(kMatrices.words) || std::any_of(words_.begin(), words_.end(), is_vector_type_name);
}

bool PreludeParts::uses(const Words& words) const {
  return everything_ || std::any_of(words.begin(), words.end(),
                                    [&](std::string_view word) { return words_.contains(word); });
}

bool PreludeParts::calls(const Words& names) const {
  return everything_ || std::any_of(names.begin(), names.end(),
                                    [&](std::string_view name) { return calls_.contains(name); });
}

bool PreludeParts::uses_prefix(const Words& prefixes) const {
  return everything_ || std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view prefix) {
           const auto first = words_.lower_bound(prefix);
           return first != words_.end() && first->starts_with(prefix);
         });
}

std::string PreludeParts::vector_types() const {
  std::string types;
  for (std::string_view element : kElements)
    for (std::string_view prefix : {std::string_view(), kPacked})
      for (char count : {'2', '3', '4'}) {
        const std::string name = fmt::format("{}{}{}", prefix, element, count);
        // The prelude itself has uint3.
        if (name != "uint3" && uses({name})) types += type_definition(name);
      }
  return types;
}

std::string PreludeParts::vector_functions() const {
  const bool in_words = uses({"and", "or", "not", "xor", "bitand", "bitor", "compl", "not_eq",
                              "and_eq", "or_eq", "xor_eq"});
  const bool in_geometry = calls(kGeometry.words);
  std::string functions;
  for (const Part& part : kOperators)
    if (in_words || uses(part.words) ||
        (in_geometry && std::find(std::begin(kGeometryOperators), std::end(kGeometryOperators),
                                  *part.words.begin()) != std::end(kGeometryOperators)))
      functions += fmt::format(" {}", part.macro);
  for (const Part& part : kVectorFunctions)
    for (std::string_view name : part.words)
      if (calls({name})) functions += fmt::format(" {}({})", part.macro, name);
  for (std::string_view name : kOwnMacro)
    if (calls({name})) functions += fmt::format(" SPRUE_VECTOR_{}", name);
  return functions;
}

std::string PreludeParts::definitions() const {
  std::string text;
  for (const Part& part : kFunctions)
    if (calls(part.words)) text += fmt::format("#define {}\n", part.macro);
  for (const Part& part : kNames)
    if (uses(part.words)) text += fmt::format("#define {}\n", part.macro);
  for (const Part& part : kPrefixes)
    if (uses_prefix(part.words)) text += fmt::format("#define {}\n", part.macro);
  if (uses(kMatrices.words)) text += fmt::format("#define {}\n", kMatrices.macro);
  if (!has_vectors()) return text;
  if (calls(kGeometry.words)) text += fmt::format("#define {}\n", kGeometry.macro);
  if (std::any_of(swizzles_.begin(), swizzles_.end(), is_assignable_swizzle))
    text += "#define SPRUE_WITH_ASSIGNABLE_SWIZZLES\n";
  text += fmt::format("#define SPRUE_VECTOR_TYPES{}\n", vector_types());
  text += fmt::format("#define SPRUE_VECTOR_FUNCTIONS{}\n", vector_functions());
  return text;
}

std::string PreludeParts::swizzle_definitions() const {
  std::string text;
  for (const std::string& name : swizzles_)
    text += fmt::format("#define {} {}\n", name, swizzle_definition(name));
  return text;
}

}  // namespace sprue
