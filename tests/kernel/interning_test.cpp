// Equal definitions are one, different ones stay apart, whatever their names.
#include "support.h"

namespace sprue {
namespace {

class Interning : public testing::Test {
 private:
  const WithSettings settings_{true, kernel_settings().verify_keys};
};

TEST_F(Interning, TenThousandFactoriesOfOneTextShareOneCompile) {
  const KernelOptions options = one_to_one(fresh_name("factory"), "y[0] = x[0] + 1;");
  const CounterDelta delta;
  for (int i = 0; i < 10000; ++i) {
    const Kernel kernel = metal_kernel(options);
    if (i % 1000 == 0) {
      EXPECT_EQ(number(kernel(one_element_call(arange(8), float32))[0]), 1);
    }
  }
  EXPECT_EQ(delta(&Counters::definitions), 1u);
  EXPECT_EQ(delta(&Counters::compiles), 1u);
  EXPECT_EQ(delta(&Counters::hits), 9u);
}

TEST_F(Interning, AnEditedBodyIsAnotherKernelAndTheOldOneIsFoundAgain) {
  const std::string name = fresh_name("edited");
  const KernelCall call = one_element_call(arange(8), float32);
  const CounterDelta delta;
  EXPECT_EQ(number(metal_kernel(one_to_one(name, "y[0] = 1;"))(call)[0]), 1);
  EXPECT_EQ(number(metal_kernel(one_to_one(name, "y[0] = 2;"))(call)[0]), 2);
  EXPECT_EQ(number(metal_kernel(one_to_one(name, "y[0] = 1;"))(call)[0]), 1);
  EXPECT_EQ(delta(&Counters::definitions), 2u);
  EXPECT_EQ(delta(&Counters::compiles), 2u);
  EXPECT_EQ(delta(&Counters::hits), 1u);
}

TEST_F(Interning, OneNameTwoBodiesBothSpecialisedBeforeTheFirstRuns) {
  const std::string name = fresh_name("twins");
  const Kernel kernels[] = {metal_kernel(one_to_one(name, "y[0] = x[1] * 2;")),
                            metal_kernel(one_to_one(name, "y[0] = x[1] + 100;"))};
  const KernelCall call = one_element_call(arange(8), float32);
  const Specialization specialization = specialization_of(call);
  const SpecializationKey key = specialization.key();
  std::vector<std::string> entry_names;
  for (const Kernel& kernel : kernels) {
    const auto ready =
        kernel.state().table().find_or_add({key.data(), key.size()})->get_or_make([&] {
          return kernel.state().make(specialization, cpu_device(), CompilePolicy::jit);
        });
    ASSERT_TRUE(ready);
    entry_names.push_back((*ready)->source.entry_name);
  }
  EXPECT_EQ(entry_names[0], entry_names[1]);  // a label, not an identity
  const CounterDelta delta;
  EXPECT_EQ(number(kernels[0](call)[0]), 2);
  EXPECT_EQ(number(kernels[1](call)[0]), 101);
  EXPECT_EQ(delta(&Counters::compiles), 0u);
}

TEST_F(Interning, UnusedDefinitionsGoWhenThereAreTooMany) {
  const std::string name = fresh_name("endless");
  const KernelCall call = one_element_call(arange(8), float32);
  const Kernel held = metal_kernel(one_to_one(name, "y[0] = 5;"));
  EXPECT_EQ(number(held(call)[0]), 5);
  for (int i = 0; i < 3000; ++i)
    (void)metal_kernel(one_to_one(name, "y[0] = 5; //" + std::to_string(i)));
  const CounterDelta delta;
  EXPECT_EQ(number(metal_kernel(one_to_one(name, "y[0] = 5;"))(call)[0]), 5);
  EXPECT_EQ(delta(&Counters::definitions), 0u) << "a definition in use was dropped";
  EXPECT_EQ(delta(&Counters::hits), 1u);
}

TEST_F(Interning, MathModeHeaderAndFlagsMakeAnotherDefinition) {
  const std::string name = fresh_name("definitions");
  KernelOptions options = one_to_one(name, R"(
#ifdef __FAST_MATH__
y[0] = kConstant + 100;
#else
y[0] = kConstant;
#endif
)");
  options.header = "constant int kConstant = 1;";
  std::vector<std::pair<KernelOptions, double>> variations = {{options, 1}};
  KernelOptions other = options;
  other.math = MathMode::fast;
  variations.emplace_back(other, 101);
  other = options;
  other.math = MathMode::relaxed;
  variations.emplace_back(other, 1);
  other = options;
  other.header = "constant int kConstant = 2;";
  variations.emplace_back(other, 2);
  other = options;
  other.ensure_row_contiguous = false;
  variations.emplace_back(other, 1);

  const CounterDelta delta;
  const KernelCall call = one_element_call(arange(8), int32);
  for (int round = 0; round < 2; ++round)
    for (const auto& [definition, expected] : variations)
      EXPECT_EQ(number(metal_kernel(definition)(call)[0]), expected);
  EXPECT_EQ(delta(&Counters::definitions), variations.size());
  EXPECT_EQ(delta(&Counters::misses), variations.size());
  EXPECT_EQ(delta(&Counters::hits), variations.size());
}

}  // namespace
}  // namespace sprue
