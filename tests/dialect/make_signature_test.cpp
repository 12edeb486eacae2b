// The signature by the rules of MLX's generator, and where Sprue differs on purpose.
#include <gtest/gtest.h>

#include "dialect/generator.h"
#include "dialect/specialize.h"

namespace sprue {
namespace {

using test::define;
using test::specialize;

// "a:input, a_shape:shape&c" and so on; marks: & reference, c constant, m mutable, A atomic.
std::string parameters(const KernelDefinition& definition, const Specialization& specialization) {
  const auto signature = make_signature(definition, specialization);
  if (!signature) return signature.error().what();
  std::string text;
  for (const Parameter& parameter : signature->parameters) {
    text += text.empty() ? "" : " ";
    text += parameter.name + ":" + std::string(dtype_name(parameter.dtype));
    text += parameter.is_scalar ? "&" : "*";
    if (parameter.is_constant) text += "c";
    if (parameter.is_mutable) text += "m";
    if (parameter.is_atomic) text += "A";
  }
  return text;
}

std::string attributes(const std::string& body) {
  const auto signature = make_signature(define({}, {"y"}, body), specialize({}, {float32}));
  if (!signature) return signature.error().what();
  std::string text;
  for (int i = 0; i < kAttributeCount; ++i)
    if (signature->uses(static_cast<Attribute>(i)))
      text += std::string(text.empty() ? "" : " ") +
              std::string(attribute_traits(static_cast<Attribute>(i)).name);
  return text;
}

TEST(MakeSignature, PutsFewElementsInConstantSpace) {
  const auto definition = define({"a"}, {"y"}, "");
  auto one = [&](const Array& a) {
    return parameters(definition, specialize({input_traits(a)}, {float32}));
  };
  EXPECT_EQ(one(Array::empty({8}, float32)), "a:float32* y:float32*");
  EXPECT_EQ(one(Array::empty({7}, float32)), "a:float32*c y:float32*");
  EXPECT_EQ(one(Array::empty({7}, complex64)), "a:complex64*c y:float32*");
  EXPECT_EQ(one(Array::empty({8}, uint8)), "a:uint8* y:float32*");
  EXPECT_EQ(one(Array::empty({1}, float32)), "a:float32*c y:float32*");
  EXPECT_EQ(one(Array::empty({0}, float32)), "a:float32*c y:float32*");
  EXPECT_EQ(one(Array(1.0f)), "a:float32&c y:float32*");
}

TEST(MakeSignature, AddsTheSlotsThatTheBodyNames) {
  const Specialization s = specialize({{float16, false, false}, {int8, false, true}}, {float32});
  auto with = [&](const std::string& body) {
    return parameters(define({"a", "b"}, {"y"}, body), s);
  };
  EXPECT_EQ(with("y[0] = 1;"), "a:float16* b:int8*c y:float32*");
  EXPECT_EQ(with("a_shape[0];"), "a:float16* a_shape:int32*c b:int8*c y:float32*");
  EXPECT_EQ(with("a_strides[0];"), "a:float16* a_strides:int64*c b:int8*c y:float32*");
  EXPECT_EQ(with("a_ndim;"), "a:float16* a_ndim:int32&c b:int8*c y:float32*");
  EXPECT_EQ(with("b_ndim + a_ndim + a_strides[0] + a_shape[0];"),
            "a:float16* a_shape:int32*c a_strides:int64*c a_ndim:int32&c b:int8*c b_ndim:int32&c "
            "y:float32*");
  EXPECT_EQ(with("// a_shape\n\"b_shape\"; data_shape; a_shapes; y_shape;"),
            "a:float16* b:int8*c y:float32*");
  EXPECT_EQ(with("int a_ndim = 2; y[0] = a_ndim;"), "a:float16* b:int8*c y:float32*");
}

TEST(MakeSignature, TellsPrefixesApart) {
  const Specialization s =
      specialize({{float32, false, false}, {float32, false, false}}, {float32});
  EXPECT_EQ(parameters(define({"a", "data"}, {"y"}, "data_shape[0];"), s),
            "a:float32* data:float32* data_shape:int32*c y:float32*");
}

TEST(MakeSignature, GivesNoSlotsToScalars) {
  EXPECT_EQ(parameters(define({"a"}, {"y"}, "a_shape[0]; a_strides[0]; a_ndim;"),
                       specialize({{float32, true, true}}, {float32})),
            "a:float32&c y:float32*");
}

TEST(MakeSignature, KeepsMutableInputsInDeviceSpace) {
  KernelDefinition definition = define({"a", "b"}, {"y"}, "a_shape[0];");
  definition.mutable_inputs = {"a"};
  EXPECT_EQ(parameters(definition,
                       specialize({{float32, false, true}, {float32, false, true}}, {float32})),
            "a:float32*m a_shape:int32*c b:float32*c y:float32*");
  EXPECT_EQ(
      parameters(definition, specialize({{float32, true, true}, {float32, true, true}}, {float32})),
      "a:float32&m b:float32&c y:float32*");
}

TEST(MakeSignature, IndexesInputsAndOutputs) {
  const auto signature =
      make_signature(define({"a", "b"}, {"y", "z"}, "b_shape[0];"),
                     specialize({{float32, false, false}, {float32, false, false}}, {int8, int16}));
  ASSERT_TRUE(signature);
  std::vector<std::pair<ParameterKind, uint32_t>> seen;
  for (const Parameter& parameter : signature->parameters)
    seen.push_back({parameter.kind, parameter.index});
  EXPECT_EQ(seen, (decltype(seen){{ParameterKind::input, 0},
                                  {ParameterKind::input, 1},
                                  {ParameterKind::shape, 1},
                                  {ParameterKind::output, 0},
                                  {ParameterKind::output, 1}}));
}

TEST(MakeSignature, FindsEachAttributeAlone) {
  for (int i = 0; i < kAttributeCount; ++i) {
    const std::string name(attribute_traits(static_cast<Attribute>(i)).name);
    EXPECT_EQ(attributes("y[0] = " + name + "[0];"), name);
    EXPECT_EQ(attributes("// " + name + "\n/* " + name + " */ y[0] = \"" + name + "\"[0];"), "");
    EXPECT_EQ(attributes("uint " + name + " = 1; y[0] = " + name + ";"), "");
    EXPECT_EQ(attributes("y[0] = my_" + name + " + " + name + "s + p." + name + ";"), "");
  }
  EXPECT_EQ(attributes("y[0] = threads_per_grid.x + grid_size.x;"), "grid_size threads_per_grid");
}

TEST(MakeSignature, MakesEveryOutputAtomicWhereAsked) {
  KernelDefinition definition = define({"a"}, {"y", "z"}, "");
  definition.atomic_outputs = true;
  EXPECT_EQ(parameters(definition, specialize({{float32, false, false}}, {float32, uint32})),
            "a:float32* y:float32*A z:uint32*A");
  for (int i = 0; i < kDtypeCount; ++i) {
    const auto dtype = static_cast<Dtype>(i);
    const bool fits = dtype == int32 || dtype == uint32 || dtype == uint64 || dtype == float32;
    EXPECT_EQ(make_signature(definition, specialize({{float32, false, false}}, {int32, dtype}))
                  .has_value(),
              fits)
        << dtype_name(dtype);
  }
}

TEST(MakeSignature, CountsSlots) {
  std::vector<std::string> names;
  std::vector<InputTraits> inputs;
  for (int i = 0; i < 30; ++i) {
    names.push_back("x" + std::to_string(i));
    inputs.push_back({float32, false, false});
  }
  EXPECT_TRUE(make_signature(define(names, {"y"}, ""), specialize(inputs, {float32})));
  const std::string error =
      parameters(define(names, {"y"}, "x3_shape[0] + x7_ndim;"), specialize(inputs, {float32}));
  EXPECT_NE(error.find("expected at most 31 parameters, got 33;"), std::string::npos) << error;
}

TEST(MakeSignature, RefusesTemplateNamesThatAreNotFree) {
  const std::pair<std::string, std::string_view> cases[] = {{"", "C identifier"},
                                                            {"2T", ""},
                                                            {"T-1", ""},
                                                            {"typename", "reserved"},
                                                            {"half", "reserved"},
                                                            {"__T", "reserved"},
                                                            {"sprue_T", "reserved"},
                                                            {"grid_size", "thread attribute"},
                                                            {"a", "an input has that name"},
                                                            {"y", "an output has that name"},
                                                            {"U", "stands twice"},
                                                            {"a_shape", "slot of input 'a'"}};
  for (const auto& [name, reason] : cases) {
    Specialization s = specialize({{float32, false, false}}, {float32});
    s.template_arguments = {{"U", 1}, {name, 2}};
    const auto signature = make_signature(define({"a"}, {"y"}, "a_shape[0];"), s);
    ASSERT_FALSE(signature) << name;
    EXPECT_EQ(signature.error().code(), ErrorCode::invalid_argument);
    if (name.empty()) continue;
    EXPECT_NE(std::string(signature.error().what()).find(reason), std::string::npos)
        << signature.error().what();
  }
}

// gated_delta has a 0-d input called T, and no template argument of that name.
TEST(MakeSignature, AllowsAnInputCalledT) {
  EXPECT_EQ(parameters(define({"T"}, {"y"}, ""), specialize({{int32, true, true}}, {float32})),
            "T:int32&c y:float32*");
}

TEST(MakeSignature, RefusesASlotThatIsAlsoAnInput) {
  const Specialization s = specialize({{float32, false, false}, {int32, false, true}}, {float32});
  const std::string error = parameters(define({"a", "a_shape"}, {"y"}, "a_shape[0];"), s);
  EXPECT_NE(error.find("expected 'a_shape' to name one thing, got an input of that name and a slot "
                       "of input 'a'"),
            std::string::npos)
      << error;
  // Nothing is wrong where the slot isn't made.
  EXPECT_EQ(parameters(define({"a", "a_shape"}, {"y"}, "a_shape[0];"),
                       specialize({{float32, true, true}, {int32, false, true}}, {float32})),
            "a:float32&c a_shape:int32*c y:float32*");
}

TEST(MakeSignature, RefusesDoubleEverywhere) {
  const auto definition = define({"a"}, {"y"}, "");
  Specialization s = specialize({{float64, false, false}}, {float32});
  EXPECT_NE(parameters(definition, s).find("input 'a', got float64; Metal has no double"),
            std::string::npos);
  s = specialize({{float32, false, false}}, {float64});
  EXPECT_NE(parameters(definition, s).find("output 'y', got float64; Metal has no double"),
            std::string::npos);
  s = specialize({{float32, false, false}}, {float32});
  s.template_arguments = {{"T", float64}};
  EXPECT_NE(
      parameters(definition, s).find("template argument 'T', got float64; Metal has no double"),
      std::string::npos);
}

TEST(MakeSignature, RefusesASpecializationOfAnotherDefinition) {
  EXPECT_NE(parameters(define({"a"}, {"y"}, ""), specialize({}, {float32}))
                .find("expected 1 inputs, got 0"),
            std::string::npos);
  EXPECT_NE(parameters(define({}, {"y", "z"}, ""), specialize({}, {float32}))
                .find("expected 2 output dtypes, got 1"),
            std::string::npos);
}

}  // namespace
}  // namespace sprue
