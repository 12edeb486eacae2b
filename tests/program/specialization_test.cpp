#include "program/specialization.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>

namespace sprue {
namespace {

KernelDefinition definition(size_t inputs, size_t outputs) {
  KernelDefinition result;
  result.name = "k";
  for (size_t i = 0; i < inputs; ++i) result.input_names.push_back("x" + std::to_string(i));
  for (size_t i = 0; i < outputs; ++i) result.output_names.push_back("y" + std::to_string(i));
  return result;
}

Specialization example() {
  Specialization s;
  s.inputs = {{float16, false, false}, {float32, true, true}};
  s.outputs = {bfloat16};
  s.template_arguments = {{"T", float16}, {"N", -3}, {"B", true}};
  return s;
}

std::vector<uint8_t> bytes(const Specialization& specialization) {
  const SpecializationKey key = specialization.key();
  return std::vector<uint8_t>(key.begin(), key.end());
}

void expect_equal(const Specialization& a, const Specialization& b) {
  EXPECT_EQ(a.inputs, b.inputs);
  EXPECT_EQ(a.outputs, b.outputs);
  ASSERT_EQ(a.template_arguments.size(), b.template_arguments.size());
  for (size_t i = 0; i < a.template_arguments.size(); ++i) {
    EXPECT_EQ(a.template_arguments[i].name, b.template_arguments[i].name);
    EXPECT_EQ(a.template_arguments[i].value, b.template_arguments[i].value);
  }
}

// The layout by hand: a casting stores these bytes, so they may not change.
TEST(SpecializationKeyBytes, AreAsDocumented) {
  Specialization s;
  s.inputs = {{float32, false, false}, {int64, true, true}, {uint8, false, true}};
  s.outputs = {complex64};
  s.template_arguments = {{"N", -2}, {"B", true}, {"T", bfloat16}};
  const std::vector<uint8_t> expected = {11,       8 | 0x20 | 0x40,
                                         1 | 0x40, 13,  //
                                         0,        1,
                                         0,        'N',
                                         0xfe,     0xff,
                                         0xff,     0xff,
                                         0xff,     0xff,
                                         0xff,     0xff,  //
                                         1,        1,
                                         0,        'B',
                                         1,        0,
                                         0,        0,
                                         0,        0,
                                         0,        0,  //
                                         2,        1,
                                         0,        'T',
                                         10,       0,
                                         0,        0,
                                         0,        0,
                                         0,        0};
  EXPECT_EQ(bytes(s), expected);
}

TEST(SpecializationKeyBytes, ComeBack) {
  const int numbers[] = {0, 1, -1, std::numeric_limits<int>::min(),
                         std::numeric_limits<int>::max()};
  for (int number : numbers) {
    for (int dtype = 0; dtype < kDtypeCount; ++dtype) {
      Specialization s = example();
      s.inputs[0].dtype = static_cast<Dtype>(dtype);
      s.inputs[0].is_small = dtype % 2 == 0;
      s.outputs[0] = static_cast<Dtype>(dtype);
      s.template_arguments.push_back({"M", number});
      s.template_arguments.push_back({std::string(700, 'n'), static_cast<Dtype>(dtype)});
      const auto back = Specialization::from_key(definition(2, 1), bytes(s));
      ASSERT_TRUE(back) << back.error().what();
      expect_equal(*back, s);
    }
  }
}

TEST(SpecializationKeyBytes, DifferWhereTheTextMayDiffer) {
  std::set<std::vector<uint8_t>> seen = {bytes(example())};
  const auto changes = std::to_array<void (*)(Specialization&)>({
      [](Specialization& s) { s.inputs[0].dtype = float32; },
      [](Specialization& s) { s.inputs[0].is_small = true; },
      [](Specialization& s) {
        s.inputs[0] = {float16, true, true};
      },
      [](Specialization& s) { s.outputs[0] = float16; },
      [](Specialization& s) { s.template_arguments[1].value = 3; },
      [](Specialization& s) { s.template_arguments[2].value = 1; },  // true against 1
      [](Specialization& s) { s.template_arguments[2].value = false; },
      [](Specialization& s) { s.template_arguments[0].value = bfloat16; },
      [](Specialization& s) { s.template_arguments[0].name = "U"; },
      [](Specialization& s) { std::swap(s.template_arguments[0], s.template_arguments[1]); },
      [](Specialization& s) {
        std::swap(s.template_arguments[0].name, s.template_arguments[1].name);
      },
      [](Specialization& s) { s.template_arguments.pop_back(); },
      [](Specialization& s) { s.template_arguments.clear(); },
  });
  for (const auto& change : changes) {
    Specialization changed = example();
    change(changed);
    EXPECT_TRUE(seen.insert(bytes(changed)).second) << seen.size();
  }
}

TEST(FromKey, RefusesEveryTruncation) {
  const std::vector<uint8_t> whole = bytes(example());
  // Cut behind the outputs or behind an argument, a key is whole again.
  const std::set<size_t> whole_sizes = {3, 3 + 12, 3 + 24};
  for (size_t size = 0; size < whole.size(); ++size) {
    const auto cut = Specialization::from_key(definition(2, 1), std::span(whole).first(size));
    EXPECT_EQ(cut.has_value(), whole_sizes.count(size) == 1) << size;
    if (cut) continue;
    EXPECT_EQ(cut.error().code(), ErrorCode::corrupt);
  }
}

TEST(FromKey, RefusesBytesThatNoKeyHas) {
  const std::vector<uint8_t> whole = bytes(example());
  struct Change {
    size_t at;
    uint8_t value;
  };
  for (Change change : {Change{0, 14},
                        {0, 0x80},
                        {0, 0x20},
                        {2, 14},
                        {2, 0x41},
                        {3, 3},
                        {3, 0xff},
                        {4, 0xff},
                        {5, 0xff},
                        {7 + 7, 1},
                        {23, 0},
                        {26, 0},
                        {22 + 7, 0x80},
                        {31, 2}}) {
    std::vector<uint8_t> changed = whole;
    changed[change.at] = change.value;
    EXPECT_FALSE(Specialization::from_key(definition(2, 1), changed)) << change.at;
  }
}

// Whatever is accepted is the key of what it gives: no two byte strings for one specialisation.
TEST(FromKey, AcceptsOnlyCanonicalBytes) {
  std::mt19937 random(7);
  const std::vector<uint8_t> whole = bytes(example());
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::vector<uint8_t> changed = whole;
    for (uint32_t n = random() % 3 + 1; n > 0; --n)
      changed[random() % changed.size()] = static_cast<uint8_t>(random());
    if (random() % 4 == 0) changed.resize(random() % (changed.size() + 1));
    const auto back = Specialization::from_key(definition(2, 1), changed);
    if (!back) continue;
    ++accepted;
    EXPECT_EQ(bytes(*back), changed);
  }
  EXPECT_GT(accepted, 100);
}

TEST(InputTraitsOfArray, CountElementsNotBytes) {
  EXPECT_EQ(input_traits(Array::empty({7}, complex64)), (InputTraits{complex64, false, true}));
  EXPECT_EQ(input_traits(Array::empty({8}, uint8)), (InputTraits{uint8, false, false}));
  EXPECT_EQ(input_traits(Array::empty({2, 2, 2}, float16)), (InputTraits{float16, false, false}));
  EXPECT_EQ(input_traits(Array::empty({1}, float32)), (InputTraits{float32, false, true}));
  EXPECT_EQ(input_traits(Array::empty({0}, float32)), (InputTraits{float32, false, true}));
  EXPECT_EQ(input_traits(Array::empty({4, 0}, float32)), (InputTraits{float32, false, true}));
  EXPECT_EQ(input_traits(Array(3)), (InputTraits{int32, true, true}));
}

TEST(Describe, IsForPeople) {
  EXPECT_EQ(example().describe(definition(2, 1)),
            "x0: float16, x1: float32 (0-d) -> y0: bfloat16 <T=float16, N=-3, B=true>");
  Specialization s;
  s.outputs = {int8, bool_};
  EXPECT_EQ(s.describe(definition(0, 2)), "-> y0: int8, y1: bool");
  s.inputs = {{uint8, false, true}};
  EXPECT_EQ(s.describe(definition(1, 2)), "x0: uint8 (small) -> y0: int8, y1: bool");
}

TEST(TemplateValueText, NamesEachKind) {
  EXPECT_EQ(template_value_text(-3), "-3");
  EXPECT_EQ(template_value_text(std::numeric_limits<int>::min()), "-2147483648");
  EXPECT_EQ(template_value_text(true), "true");
  EXPECT_EQ(template_value_text(false), "false");
  EXPECT_EQ(template_value_text(bfloat16), "bfloat16");
}

}  // namespace
}  // namespace sprue
