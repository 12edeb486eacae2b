#include "program/signature.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace sprue {
namespace {

TEST(Attributes, AreTwentyInAlphabeticalOrder) {
  std::vector<std::string_view> names;
  for (int i = 0; i < kAttributeCount; ++i)
    names.push_back(attribute_traits(static_cast<Attribute>(i)).name);
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), 20u);
  for (std::string_view name : names) EXPECT_TRUE(is_attribute_name(name)) << name;
  EXPECT_FALSE(is_attribute_name("thread"));
  EXPECT_FALSE(is_attribute_name("grid_size_"));
  EXPECT_FALSE(is_attribute_name(""));
}

TEST(Attributes, AnEnumeratorHasItsOwnName) {
  EXPECT_EQ(attribute_traits(Attribute::grid_size).name, "grid_size");
  EXPECT_EQ(attribute_traits(Attribute::thread_position_in_grid).name, "thread_position_in_grid");
  EXPECT_EQ(attribute_traits(Attribute::threads_per_threadgroup).name, "threads_per_threadgroup");
}

// A position, size or extent has three parts; an index, a count or a width has one.
TEST(Attributes, HaveMetalsTypes) {
  for (int i = 0; i < kAttributeCount; ++i) {
    const AttributeTraits& traits = attribute_traits(static_cast<Attribute>(i));
    const bool is_vector = traits.name.find("position") != std::string_view::npos ||
                           traits.name.starts_with("grid_") || traits.name.ends_with("_per_grid") ||
                           traits.name.ends_with("threads_per_threadgroup");
    EXPECT_EQ(traits.type, is_vector ? "uint3" : "uint") << traits.name;
  }
}

TEST(Signature, KnowsItsAttributes) {
  Signature signature;
  signature.attributes = 1u << static_cast<int>(Attribute::grid_size);
  EXPECT_TRUE(signature.uses(Attribute::grid_size));
  EXPECT_FALSE(signature.uses(Attribute::grid_origin));
}

}  // namespace
}  // namespace sprue
