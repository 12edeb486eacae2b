// What Metal's simdgroup functions, matrices and atomics don't take: the message names the function and
// its limit, stands at the user's line, and lists nothing of the prelude.
#include "language/matrix.h"

namespace sprue::language {
namespace {

const std::string kStruct = "struct Pair { float a, b; };";

std::vector<Rejected> texts() {
  const std::string i = "uint i = thread_position_in_grid.x;\n";
  const auto atomic = [&](const std::string& type, const std::string& call) {
    return i + "device atomic<" + type + ">* a = (device atomic<" + type + ">*)y;\n" + call;
  };
  return {
      {.name = "sum_of_a_struct",
       .body = i + "Pair p{1, 2};\np = simd_sum(p);\ny[i] = p.a;",
       .header = kStruct,
       .line = 3,
       .mentions = "simd_sum takes an integer, a floating-point number or a vector of them"},
      {.name = "product_of_bools",
       .body = i + "y[i] = simd_product(x[i] > 0);",
       .line = 2,
       .mentions = "simd_product takes"},
      {.name = "running_sum_of_complex",
       .body = i + "y[i] = simd_prefix_inclusive_sum(complex64_t(x[i])).real;",
       .line = 2,
       .mentions = "simd_prefix_inclusive_sum takes"},
      {.name = "and_of_floats",
       .body = i + "\ny[i] = simd_and(x[i]);",
       .line = 3,
       .mentions = "simd_and takes an integer or a vector of integers"},
      {.name = "quad_or_of_bools",
       .body = i + "y[i] = quad_or(x[i] > 0);",
       .line = 2,
       .mentions = "quad_or takes an integer"},
      {.name = "shuffle_of_a_struct",
       .body = i + "Pair p{1, 2};\ny[i] = simd_shuffle_down(p, 1).a;",
       .header = kStruct,
       .line = 3,
       .mentions = "simd_shuffle_down takes a number, a bool or a vector of them"},
      {.name = "broadcast_of_a_pointer",
       .body = i + "y[i] = *simd_broadcast_first(x);",
       .line = 2,
       .mentions = "simd_broadcast_first takes"},
      {.name = "fill_of_another_type",
       .body = i + "y[i] = simd_shuffle_and_fill_up(x[i], 0, 1);",
       .line = 2,
       .mentions = "simd_shuffle_and_fill_up"},
      {.name = "vote_as_an_integer",
       .body = i + "uint mask = simd_ballot(x[i] > 0);\ny[i] = mask;",
       .line = 2,
       .mentions = "simd_vote"},
      {.name = "matrix_of_ints",
       .body = i + "simdgroup_matrix<int, 8, 8> m;\ny[i] = sizeof(m);",
       .line = 2,
       .mentions = "simdgroup_matrix is for float, half and bfloat"},
      {.name = "matrix_of_another_size",
       .body = i + "simdgroup_matrix<float, 16, 16> m;\ny[i] = sizeof(m);",
       .line = 2,
       .mentions = "simdgroup_matrix has 8 columns and 8 rows"},
      {.name = "matrix_loaded_from_another_type",
       .body = i + "simdgroup_half8x8 m;\nsimdgroup_load(m, x);\ny[i] = m.thread_elements()[0];",
       .line = 3,
       .mentions = "simdgroup_load"},
      {.name = "add_to_an_atomic_bool",
       .body =
           atomic("bool", "atomic_fetch_add_explicit(a, true, memory_order_relaxed);\ny[i] = 1;"),
       .line = 3,
       .mentions = "atomic_fetch_add_explicit takes a pointer to an atomic int, uint or float"},
      {.name = "minimum_of_an_atomic_float",
       .body = atomic("float", "y[i] = atomic_fetch_min_explicit(a, 1.0f, memory_order_relaxed);"),
       .line = 3,
       .mentions = "atomic_fetch_min_explicit takes a pointer to an atomic int or uint"},
      {.name = "add_to_an_atomic_ulong",
       .body = atomic("ulong", "atomic_fetch_add_explicit(a, 1, memory_order_relaxed);\ny[i] = 1;"),
       .line = 3,
       .mentions = "atomic_fetch_add_explicit takes"},
      {.name = "load_of_an_atomic_ulong",
       .body = atomic("ulong", "y[i] = atomic_load_explicit(a, memory_order_relaxed);"),
       .line = 3,
       .mentions = "atomic_load_explicit takes a pointer to an atomic int, uint, float or bool"},
      {.name = "result_of_a_ulong_maximum",
       .body = atomic("ulong", "y[i] = atomic_max_explicit(a, 1, memory_order_relaxed);"),
       .line = 3},
      {.name = "atomic_short",
       .body = atomic("short", "atomic_store_explicit(a, 1, memory_order_relaxed);\ny[i] = 1;"),
       .line = 2,
       .mentions = "atomic<T> is for int, uint, ulong, float and bool"},
      {.name = "sequentially_consistent",
       .body = atomic("int", "y[i] = atomic_fetch_add_explicit(a, 1, memory_order_seq_cst);"),
       .line = 3,
       .mentions = "atomic_fetch_add_explicit takes memory_order_relaxed"},
      {.name = "acquiring_load",
       .body = atomic("uint", "\n\ny[i] = atomic_load_explicit(a, memory_order_acquire);"),
       .line = 5,
       .mentions = "atomic_load_explicit takes memory_order_relaxed"},
      {.name = "releasing_exchange_failure",
       .body = atomic("uint",
                      "uint e = 0;\ny[i] = atomic_compare_exchange_weak_explicit(a, &e, 1u, "
                      "memory_order_relaxed, memory_order_acquire);"),
       .line = 4,
       .mentions = "atomic_compare_exchange_weak_explicit takes memory_order_relaxed"},
      {.name = "atomic_on_a_plain_pointer",
       .body = i + "y[i] = atomic_fetch_add_explicit(y + i, 1.0f, memory_order_relaxed);",
       .line = 2,
       .mentions = "atomic_fetch_add_explicit"},
  };
}

class RejectedCollectives : public testing::TestWithParam<RejectedCase> {};
TEST_P(RejectedCollectives, name_the_limit) { check(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Language, RejectedCollectives, testing::ValuesIn(on_each_device(texts())),
                         rejected_name);

// One mistake, one error, and nothing of ours in the log.
TEST(RejectedCollectivesLog, is_one_error_without_overloads) {
  KernelOptions options{.name = "mistakes", .input_names = {"x"}, .output_names = {"y"}};
  options.header = kStruct;
  options.source_file = "the_body.metal";
  KernelCall call{.inputs = {make_array(float32, std::vector<Real>(16, 1))}};
  call.output_shapes = {{16}};
  call.output_dtypes = {float32};
  call.grid = call.threadgroup = {16, 1, 1};
  const std::vector<std::string> bodies = {
      "Pair p{1, 2}; y[0] = simd_sum(p).a;",
      "Pair p{1, 2}; y[0] = simd_shuffle(p, 1).a;",
      "y[0] = simd_and(x[0]);",
      "device atomic_float* a = (device atomic_float*)y; atomic_fetch_max_explicit(a, 1, "
      "memory_order_relaxed);",
      "device atomic_int* a = (device atomic_int*)y; atomic_store_explicit(a, 1, "
      "memory_order_seq_cst);",
      "simdgroup_half8x8 m; simdgroup_load(m, x);",
      "atomic_fetch_add_explicit(y, 1.0f, memory_order_relaxed);"};
  for (const std::string& body : bodies) {
    options.source = body;
    for (const Device& device : devices()) try {
        if (!device.missing().empty()) continue;
        (void)device.refuse()(options, call);
        ADD_FAILURE() << "accepted: " << body;
      } catch (const Error& error) {
        const std::string& log = error.details().compile_log;
        size_t errors = 0;
        for (size_t at = 0; (at = log.find(": error: ", at)) != std::string::npos; ++at) ++errors;
        EXPECT_EQ(errors, 1u) << log;
        for (const char* ours : {"candidate", "metal_simdgroup", "metal_atomic", ".h:", "note:"})
          EXPECT_EQ(log.find(ours), std::string::npos) << ours << " in " << log;
      }
  }
}

}  // namespace
}  // namespace sprue::language
