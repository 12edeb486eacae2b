#include "program/identifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sprue {

namespace {

// Keywords and alternative tokens of C++20, and those that Metal adds.
constexpr auto kKeywords = std::to_array<std::string_view>({
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "break",
    "case",
    "catch",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "return",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "union",
    "unsigned",
    "using",
    "virtual",
    "volatile",
    "while",
    "xor",
    "xor_eq",
    // Metal's address spaces and function qualifiers.
    "constant",
    "device",
    "fragment",
    "kernel",
    "object_data",
    "ray_data",
    "thread",
    "threadgroup",
    "threadgroup_imageblock",
    "vertex",
    // Macros that every Metal text or C++ text may see.
    "INFINITY",
    "NAN",
    "HUGE_VALF",
    "HUGE_VALH",
    "MAXFLOAT",
    "MAXHALF",
    "NULL",
    "assert",
    "metal",
});

// Types without a component count.
constexpr auto kTypes = std::to_array<std::string_view>({
    "atomic",       "atomic_bool", "atomic_float", "atomic_int", "atomic_uint",
    "atomic_ulong", "bfloat16_t",  "char8_t",      "char16_t",   "char32_t",
    "complex64_t",  "double",      "float16_t",    "int16_t",    "int32_t",
    "int64_t",      "int8_t",      "ptrdiff_t",    "size_t",     "uint16_t",
    "uint32_t",     "uint64_t",    "uint8_t",      "void",       "wchar_t",
});

// Types that are also vectors with 2, 3 or 4 components: half, half2, packed_half2, ...
constexpr auto kVectorTypes = std::to_array<std::string_view>({
    "bfloat",
    "bool",
    "char",
    "float",
    "half",
    "int",
    "long",
    "short",
    "uchar",
    "uint",
    "ulong",
    "ushort",
});

constexpr auto kCudaWords = std::to_array<std::string_view>({
    "Shape",
    "Strides",
    "blockDim",
    "blockIdx",
    "cg",
    "cooperative_groups",
    "cuda",
    "dim3",
    "gridDim",
    "mlx",
    "threadIdx",
    "warpSize",
});

bool contains(auto& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool is_identifier(std::string_view name) {
  if (name.empty() || !is_letter(name[0])) return false;
  return std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

bool is_reserved_word(std::string_view name) {
  if (name.starts_with("__") || name.starts_with("sprue_") || name.starts_with("SPRUE_"))
    return true;
  if (contains(kKeywords, name) || contains(kTypes, name)) return true;
  if (name.starts_with("packed_")) name.remove_prefix(7);
  if (!name.empty() && name.back() >= '2' && name.back() <= '4') name.remove_suffix(1);
  return contains(kVectorTypes, name);
}

bool is_cuda_word(std::string_view name) { return contains(kCudaWords, name); }

std::string shown_name(std::string_view name) {
  constexpr size_t kShown = 60;
  std::string text = "'";
  for (char c : name.substr(0, kShown)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f)
      text += fmt::format("\\x{:02x}", byte);
    else
      text += c;
  }
  return text + (name.size() > kShown ? "...'" : "'");
}

}  // namespace sprue
