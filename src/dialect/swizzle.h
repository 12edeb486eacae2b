// Components of vectors by name: which names in a text are swizzles, and what stands in their place.
//
//   v.xy       reads a float2          v._1     _1 is `template swizzle<0, 1>()`
//   v.rgb = w  writes to components    v._G6    _G6 is `template place<0, 1, 2>()`
//   c.r        one component           c.x
//
// C++ structs have no such members and a text's columns must stay, so a swizzle becomes a name of the
// same length, which a macro of the generated text defines (swizzle_definition). The letters are of
// xyzw or of rgba. A name that a struct of the user has as a member, or that is a macro, is the user's
// own everywhere in the two texts; then vectors don't have it. A name of the user's that is one of the
// macros in use is an error: '_' with digits and capitals belongs to implementations (and '$' is no
// letter to every compiler).
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "dialect/code.h"
#include "dialect/source_error.h"

namespace sprue {

// Members and macros of the user's own, as far as they are named like swizzles.
class OwnMembers {
 public:
  void add(const Code& code);
  bool contains(std::string_view name) const { return names_.contains(name); }

 private:
  std::set<std::string, std::less<>> names_;
};

// One to four letters of xyzw, or of rgba.
bool is_swizzle(std::string_view name);

// What stands in place of a swizzle: as long as it is.
std::string swizzle_name(std::string_view swizzle, bool is_assigned);

// What that name stands for, for a name of two letters or more: "template swizzle<0, 1>()".
std::string swizzle_definition(std::string_view name);
bool is_assignable_swizzle(std::string_view name);
// Where a text itself has one of these names.
std::optional<SourceError> find_clash(const Code& code, const std::set<std::string>& names);

// Whether the member at token i is written to: an assignment, ++ or -- applies to it, or to something
// selected from it.
bool is_assigned(const Code& code, size_t i);

}  // namespace sprue
