// Which parts of the prelude a kernel's texts need: a compile pays for what is declared.
//
//   PreludeParts parts;
//   parts.add(code_of_header);  parts.add(code_of_body);  parts.add_swizzles(lowered.swizzles);
//   parts.definitions()    // "#define SPRUE_WITH_LIMITS\n...", to stand before the prelude
//
// The decision is by names and operators: whatever may be used is there. Where a text joins tokens or
// includes a file, all is. Empty for a kernel that needs nothing beyond what every kernel has.
// Deterministic; linear in the texts' sizes. A Code must outlive the parts.
#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>

#include "dialect/code.h"

namespace sprue {

// "float4", "packed_half3": the name of a vector type.
bool is_vector_type_name(std::string_view word);

class PreludeParts {
 public:
  void add(const Code& code);
  // A name that the generated text itself uses.
  void add_name(std::string_view name) { words_.insert(name); }
  // Of swizzle.h: names that stand in the lowered texts.
  void add_swizzles(const std::set<std::string>& names);

  // Before the prelude: the macros that choose its parts.
  std::string definitions() const;
  // Behind the prelude: the macros of the swizzles.
  std::string swizzle_definitions() const;

 private:
  using Words = std::initializer_list<std::string_view>;
  bool uses(const Words& words) const;   // any of them
  bool calls(const Words& names) const;  // or hands one on
  bool uses_prefix(const std::initializer_list<std::string_view>& prefixes) const;
  bool has_vectors() const;
  std::string vector_types() const;
  std::string vector_functions() const;

  std::set<std::string_view> words_;  // names and operators
  std::set<std::string_view> calls_;  // names where a function's may stand
  std::set<std::string> swizzles_;
  bool everything_ = false;
  bool has_whole_position_ = false;  // a position is used other than by one of its components
};

}  // namespace sprue
