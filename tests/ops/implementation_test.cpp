#include "ops/implementation.h"

#include <gtest/gtest.h>

#include "ops/quantized_matvec/quantized_matvec.h"
#include "ops/test_matrix.h"

namespace sprue {
namespace {

TEST(Implementation, BindsByNameInAnyOrder) {
  const QuantizedMatrix matrix = random_quantized(9, 128, 4, 32, float16, 1);
  const Array x = random_vector(128, float32, 2);
  const auto native = bind_native("quantized_matvec", {"x", "biases", "w", "scales"}, {"y"});
  ASSERT_TRUE(native) << native.error().message();
  Arrays outputs = {Array::empty({9}, float32)};
  const Status status = (*native)({x, matrix.biases, matrix.weights, matrix.scales}, outputs);
  ASSERT_TRUE(status) << status.error().message();
  EXPECT_EQ(digest(outputs[0]), digest(*quantized_matvec(matrix, x)));
}

TEST(Implementation, NamesThatDoNotFitAreRefused) {
  EXPECT_EQ(find_native("quantized_matvec")->name, "quantized_matvec");
  EXPECT_EQ(find_native("matvec"), nullptr);
  const auto unknown = bind_native("matvec", {}, {});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message(),
            "[native] expected a shipped operation (quantized_matvec), got matvec");
  const std::vector<std::string> inputs = {"w", "scales", "biases", "x"};
  EXPECT_FALSE(bind_native("quantized_matvec", {"w", "scales", "biases", "v"}, {"y"}));
  EXPECT_FALSE(bind_native("quantized_matvec", {"w", "scales", "biases"}, {"y"}));
  EXPECT_FALSE(bind_native("quantized_matvec", {"w", "scales", "biases", "x", "z"}, {"y"}));
  EXPECT_FALSE(bind_native("quantized_matvec", {"w", "w", "biases", "x"}, {"y"}));
  EXPECT_FALSE(bind_native("quantized_matvec", inputs, {"z"}));
  EXPECT_FALSE(bind_native("quantized_matvec", inputs, {}));
  const auto native = bind_native("quantized_matvec", inputs, {"y"});
  ASSERT_TRUE(native);
  Arrays outputs;
  EXPECT_FALSE((*native)({}, outputs));
}

}  // namespace
}  // namespace sprue
