// Which parts of the prelude for simdgroups, atomics and matrices a text asks for: a kernel without them
// doesn't pay for any.
#include <gtest/gtest.h>

#include "dialect/prelude_parts.h"

namespace sprue {
namespace {

std::string parts_of(const std::string& text) {
  const TokenList tokens = lex(text);
  const Code code(tokens);
  PreludeParts parts;
  parts.add(code);
  return parts.definitions();
}

bool has(const std::string& definitions, const std::string& macro) {
  return definitions.find("#define " + macro + "\n") != std::string::npos;
}

TEST(SimdgroupParts, AreAbsentWhereNothingNamesThem) {
  EXPECT_EQ(
      parts_of(
          "uint i = thread_position_in_grid.x; y[i] = x[i];\n"
          "simdgroup_barrier(mem_flags::mem_none); threadgroup_barrier(mem_none);\n"
          "uint simdgroup = simdgroup_index_in_threadgroup, quad = thread_index_in_quadgroup;"),
      "");
}

TEST(SimdgroupParts, FollowTheNames) {
  const std::string reductions = "SPRUE_WITH_SIMD_REDUCTIONS", moves = "SPRUE_WITH_SIMD_MOVES";
  const std::string quads = "SPRUE_WITH_QUADGROUPS";
  for (const char* name : {"sum", "product", "min", "max", "and", "or", "xor",
                           "prefix_inclusive_sum", "prefix_exclusive_product"})
    for (const char* group : {"simd_", "quad_"}) {
      const std::string parts = parts_of(std::string("y = ") + group + name + "(x);");
      EXPECT_TRUE(has(parts, reductions)) << group << name;
      EXPECT_FALSE(has(parts, moves)) << group << name;
      EXPECT_EQ(has(parts, quads), group[0] == 'q') << group << name;
    }
  for (const char* name :
       {"shuffle", "shuffle_xor", "shuffle_up", "shuffle_down", "shuffle_rotate_up",
        "shuffle_and_fill_down", "broadcast", "broadcast_first", "ballot", "vote", "any", "all",
        "active_threads_mask", "is_first", "is_helper_thread"})
    for (const char* group : {"simd_", "quad_"}) {
      const std::string parts = parts_of(std::string("y = metal::") + group + name + "(x, 1);");
      EXPECT_TRUE(has(parts, moves)) << group << name;
      EXPECT_FALSE(has(parts, reductions)) << group << name;
      EXPECT_EQ(has(parts, quads), group[0] == 'q') << group << name;
    }
}

TEST(SimdgroupParts, SeeAtomicsAndMatrices) {
  for (const char* text :
       {"device atomic_uint* a;", "atomic<int> a;", "auto order = memory_order_relaxed;",
        "atomic_thread_fence(f, o);", "#define ADD atomic_fetch_add_explicit\n"})
    EXPECT_TRUE(has(parts_of(text), "SPRUE_WITH_ATOMICS")) << text;
  for (const char* text : {"simdgroup_matrix<float, 8, 8> m;", "simdgroup_half8x8 m;",
                           "simdgroup_load(m, p);", "make_filled_simdgroup_matrix<T, 8>(0);"}) {
    const std::string parts = parts_of(text);
    EXPECT_TRUE(has(parts, "SPRUE_WITH_SIMDGROUP_MATRICES")) << text;
    EXPECT_NE(parts.find("SPRUE_VECTOR_TYPES"), std::string::npos) << text;
  }
}

TEST(SimdgroupParts, AreAllThereWhereTokensAreJoined) {
  const std::string parts = parts_of("#define CALL(name) si##md_##name(x)\n y = CALL(sum);");
  for (const char* macro :
       {"SPRUE_WITH_SIMD_REDUCTIONS", "SPRUE_WITH_SIMD_MOVES", "SPRUE_WITH_QUADGROUPS",
        "SPRUE_WITH_ATOMICS", "SPRUE_WITH_SIMDGROUP_MATRICES"})
    EXPECT_TRUE(has(parts, macro)) << macro;
}

}  // namespace
}  // namespace sprue
