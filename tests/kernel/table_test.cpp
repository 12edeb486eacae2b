// Which calls share a specialisation and which don't, counted.
#include <climits>
#include <set>

#include "support.h"

namespace sprue {
namespace {

class Table : public testing::Test {
 private:
  const WithSettings settings_{true, kernel_settings().verify_keys};
};

TEST_F(Table, InterleavedSpecialisationsKeepTheirOwnResults) {
  const Kernel kernel = metal_kernel(
      one_to_one(fresh_name("interleaved"),
                 "uint i = thread_position_in_grid.x; y[i] = T(x[i] * T(N) + T(sizeof(T)));"));
  constexpr Dtype kDtypes[] = {float16, float32, int32};
  constexpr double kSizes[] = {2, 4, 4};
  const CounterDelta delta;
  for (int round = 0; round < 3; ++round)
    for (int n : {3, -5})
      for (size_t d = 0; d < std::size(kDtypes); ++d) {
        const std::vector<double> values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        const Arrays out = kernel({.inputs = {make_array(kDtypes[d], values, {10})},
                                   .output_shapes = {{10}},
                                   .output_dtypes = {kDtypes[d]},
                                   .grid = {10, 1, 1},
                                   .threadgroup = {4, 1, 1},
                                   .template_arguments = {{"T", kDtypes[d]}, {"N", n}}});
        std::vector<double> expected;
        for (double value : values) expected.push_back(value * n + kSizes[d]);
        EXPECT_EQ(numbers(out[0]), expected) << dtype_name(kDtypes[d]) << " N=" << n;
      }
  EXPECT_EQ(delta(&Counters::misses), 6u);
  EXPECT_EQ(delta(&Counters::hits), 12u);
  EXPECT_EQ(delta(&Counters::compiles), 6u);
  EXPECT_EQ(delta(&Counters::loads), 6u);
  EXPECT_EQ(delta(&Counters::launches), 18u);
}

// Each variation of a call is a specialisation of its own: made once, found again, with its own result.
TEST_F(Table, KeyDiffersOnEverythingThatChangesTheText) {
  struct Variation {
    std::string what;
    KernelCall call;
    double expected;
  };
  const Kernel kernel = metal_kernel(one_to_one(
      fresh_name("variations"), "y[0] = int(sizeof(x)) * 100 + int(sizeof(*y)) * 10 + N;"));
  const Variation variations[] = {
      {"base", one_element_call(arange(8), int32, {{"N", 1}}), 841},
      {"another template value", one_element_call(arange(8), int32, {{"N", 2}}), 842},
      {"an input of fewer than 8 elements", one_element_call(arange(7), int32, {{"N", 1}}), 841},
      {"another input dtype", one_element_call(arange(8, float16), int32, {{"N", 1}}), 841},
      {"another output dtype", one_element_call(arange(8), int64, {{"N", 1}}), 881},
      {"a 0-d input", one_element_call(1.0f, int32, {{"N", 1}}), 441},
      {"a 0-d input of another dtype",
       one_element_call(Array::scalar(int64_t{1}), int32, {{"N", 1}}), 841},
      {"a bool for an int", one_element_call(arange(8), int32, {{"N", true}}), 841},
      {"another template argument more", one_element_call(arange(8), int32, {{"N", 1}, {"M", 1}}),
       841},
      {"another order", one_element_call(arange(8), int32, {{"M", 1}, {"N", 1}}), 841},
  };
  for (const Variation& variation : variations) {
    const CounterDelta delta;
    for (uint64_t times = 1; times <= 2; ++times) {
      EXPECT_EQ(number(kernel(variation.call)[0]), variation.expected) << variation.what;
      EXPECT_EQ(delta(&Counters::misses), 1u) << variation.what;
      EXPECT_EQ(delta(&Counters::hits), times - 1) << variation.what;
    }
  }
}

TEST_F(Table, ShapesFromEightElementsUpShareOneSpecialisation) {
  const Kernel kernel = metal_kernel(one_to_one(
      fresh_name("shapes"), "y[0] = x_shape[x_ndim - 1] * 100 + x_ndim * 10 + int(x[7]);"));
  const CounterDelta delta;
  const std::pair<Shape, double> shapes[] = {
      {{8}, 817}, {{2, 4}, 427}, {{1000}, 100017}, {{3, 3, 5}, 537}, {{1, 1, 1, 9}, 947}};
  for (const auto& [shape, expected] : shapes) {
    int64_t count = 1;
    for (int64_t extent : shape) count *= extent;
    EXPECT_EQ(number(kernel(one_element_call(arange(count).reshaped(shape), int32))[0]), expected);
  }
  EXPECT_EQ(delta(&Counters::misses), 1u);
  EXPECT_EQ(delta(&Counters::hits), std::size(shapes) - 1);
}

TEST_F(Table, KeysOfOneHashStayApart) {
  SpecializationTable table([](std::span<const uint8_t>) { return uint64_t{7}; });
  std::vector<std::shared_ptr<SpecializationEntry>> entries;
  for (uint8_t i = 0; i < 100; ++i) {
    const uint8_t key[] = {1, i};
    entries.push_back(table.find_or_add(key));
    EXPECT_EQ(entries.back()->key(), SpecializationKey(std::begin(key), std::end(key)));
  }
  // A key that is another's beginning is another key.
  const uint8_t shorter[] = {1};
  EXPECT_EQ(table.find_or_add(shorter)->key().size(), 1u);
  for (uint8_t i = 0; i < 100; ++i) {
    const uint8_t key[] = {1, i};
    EXPECT_EQ(table.find_or_add(key), entries[i]);
  }
  EXPECT_EQ(table.size(), 101u);
}

TEST_F(Table, BoundedByTheEntryUsedLongestAgo) {
  const KernelCall call = one_element_call(arange(8), int32, {{"N", 0}});
  const auto state = std::make_shared<ReloadingState>(
      metal_kernel(one_to_one(fresh_name("bounded"), "y[0] = int(x[3]);")), call);
  const Kernel kernel(state);
  const auto run = [&](int n) {
    KernelCall numbered = call;
    numbered.template_arguments[0].value = n;
    return number(kernel(numbered)[0]);
  };
  const CounterDelta delta;
  const int capacity = static_cast<int>(kTableCapacity);
  for (int n = 0; n < capacity; ++n) EXPECT_EQ(run(n), 3);
  EXPECT_EQ(state->makes, capacity);
  EXPECT_EQ(delta(&Counters::evictions), 0u);

  EXPECT_EQ(run(0), 3);  // now 1 was used longest ago
  EXPECT_EQ(run(capacity), 3);
  EXPECT_EQ(delta(&Counters::evictions), 1u);
  EXPECT_EQ(state->table().size(), kTableCapacity);
  EXPECT_EQ(run(0), 3);
  EXPECT_EQ(state->makes, capacity + 1) << "0 was used lately, yet it left the table";
  EXPECT_EQ(run(1), 3);
  EXPECT_EQ(state->makes, capacity + 2) << "1 was used longest ago, yet it stayed";
  EXPECT_EQ(state->table().size(), kTableCapacity);
}

TEST_F(Table, AnEntryThatLeftTheTableLivesOnWithItsHolder) {
  SpecializationTable table;
  const uint8_t first[] = {0, 0};
  const auto held = table.find_or_add(first);
  for (int i = 1; i <= static_cast<int>(kTableCapacity); ++i) {
    const uint8_t key[] = {static_cast<uint8_t>(i), static_cast<uint8_t>(i >> 8)};
    table.find_or_add(key);
  }
  EXPECT_EQ(table.size(), kTableCapacity);
  EXPECT_EQ(held->key()[0], 0);
  EXPECT_NE(table.find_or_add(first), held);
}

TEST_F(Table, FailuresTakeNoPlace) {
  const KernelCall call = one_element_call(arange(8), int32, {{"N", 0}});
  const auto state = std::make_shared<ReloadingState>(
      metal_kernel(one_to_one(fresh_name("failures"), "y[0] = int(x[3]);")), call);
  const Kernel kernel(state);
  EXPECT_EQ(number(kernel(call)[0]), 3);
  state->before_make = [] { return fail(ErrorCode::compile_failed, "test", "no"); };
  for (int n = 1; n < 600; ++n) {
    KernelCall failing = call;
    failing.template_arguments[0].value = n;
    EXPECT_THROW((void)kernel(failing), Error);
  }
  EXPECT_EQ(state->table().size(), 1u);
  EXPECT_EQ(number(kernel(call)[0]), 3);
  EXPECT_EQ(state->makes, 600);
}

TEST_F(Table, TemplateNamesKindsAndSignsAreTold) {
  const Kernel pair = metal_kernel(one_to_one(fresh_name("pair"), "y[0] = N * 10 + M;"));
  EXPECT_EQ(number(pair(one_element_call(arange(8), int32, {{"N", 1}, {"M", 2}}))[0]), 12);
  EXPECT_EQ(number(pair(one_element_call(arange(8), int32, {{"M", 1}, {"N", 2}}))[0]), 21);

  const Kernel kind =
      metal_kernel(one_to_one(fresh_name("kind"), "y[0] = int(sizeof(N)) * 10 + int(N);"));
  EXPECT_EQ(number(kind(one_element_call(arange(8), int32, {{"N", 1}}))[0]), 41);
  EXPECT_EQ(number(kind(one_element_call(arange(8), int32, {{"N", true}}))[0]), 11);
  EXPECT_EQ(number(kind(one_element_call(arange(8), int32, {{"N", false}}))[0]), 10);

  const Kernel sign = metal_kernel(one_to_one(fresh_name("sign"), "y[0] = N;"));
  std::set<std::string> names;
  for (int n : {1, -1, -3, 0, INT_MIN, INT_MAX}) {
    const KernelCall call = one_element_call(arange(8), int32, {{"N", n}});
    EXPECT_EQ(sign(call)[0].item<int32_t>(), n);
    names.insert(
        value_or_throw(sign.state().make(specialization_of(call), cpu_device(), call.policy))
            ->source.entry_name);
  }
  EXPECT_EQ(names.size(), 6u);
}

TEST_F(Table, AlternatingDtypesCompileTwice) {
  const Kernel kernel = metal_kernel(one_to_one(fresh_name("alternating"), "y[0] = x[2] + x[1];"));
  const Array inputs[] = {arange(8, float16), arange(8, float32)};
  const CounterDelta delta;
  for (int i = 0; i < 1000; ++i) {
    const Dtype dtype = inputs[i % 2].dtype();
    const Arrays out = kernel(one_element_call(inputs[i % 2], dtype));
    ASSERT_EQ(out[0].dtype(), dtype);
    ASSERT_EQ(number(out[0]), 3);
  }
  EXPECT_EQ(delta(&Counters::misses), 2u);
  EXPECT_EQ(delta(&Counters::hits), 998u);
  EXPECT_EQ(delta(&Counters::compiles), 2u);
}

// One call with the table, one without: the same text, name and bytes.
TEST_F(Table, SwitchingItOffChangesNoTextNameOrByte) {
  const Kernel kernel = metal_kernel(
      one_to_one(fresh_name("switched"),
                 "uint i = thread_position_in_grid.x; y[i] = metal::exp(x[i]) * T(x_shape[0]);"));
  const KernelCall call = {.inputs = {arange(20)},
                           .output_shapes = {{20}},
                           .output_dtypes = {float32},
                           .grid = {20, 1, 1},
                           .threadgroup = {8, 1, 1},
                           .template_arguments = {{"T", float32}}};
  const std::string with_table = digest(kernel(call)[0]);
  const auto entry = kernel.state().table().entries().at(0)->ready();
  const CounterDelta delta;
  {
    const WithSettings off(false, false);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(digest(kernel(call)[0]), with_table);
  }
  EXPECT_EQ(delta(&Counters::compiles), 2u);
  EXPECT_EQ(delta(&Counters::hits) + delta(&Counters::misses), 0u);
  const auto anew =
      value_or_throw(kernel.state().make(specialization_of(call), cpu_device(), call.policy));
  EXPECT_EQ(anew->source.text, entry->source.text);
  EXPECT_EQ(anew->source.entry_name, entry->source.entry_name);
  EXPECT_EQ(anew->source.digest, entry->source.digest);
  EXPECT_EQ(anew->binary.digest, entry->binary.digest);
  EXPECT_EQ(anew->binary.bytes, entry->binary.bytes);
}

TEST_F(Table, VerificationAcceptsTheSameTextAndRefusesAnother) {
  const WithSettings verify(true, true);
  const KernelCall call = one_element_call(arange(8), int32, {{"N", -4}});
  const Kernel honest = metal_kernel(one_to_one(fresh_name("honest"), "y[0] = N;"));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(number(honest(call)[0]), -4);

  const auto state = std::make_shared<ReloadingState>(honest, call);
  const Kernel changing(state);
  EXPECT_EQ(number(changing(call)[0]), -4);  // a miss has nothing to compare
  state->text_to_compare = "another text";
  const CounterDelta delta;
  expect_error(ErrorCode::internal, {honest.name(), "key"}, [&] { (void)changing(call); });
  EXPECT_EQ(delta(&Counters::launches), 0u);
}

}  // namespace
}  // namespace sprue
