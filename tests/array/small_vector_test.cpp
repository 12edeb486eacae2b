#include "sprue/small_vector.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

namespace sprue {
namespace {

using Strings = SmallVector<std::string, 3>;

std::string word(int i) { return "a string too long for the string itself " + std::to_string(i); }

Strings words(int count) {
  Strings result;
  for (int i = 0; i < count; ++i) result.push_back(word(i));
  return result;
}

void expect_words(const Strings& strings, int count) {
  ASSERT_EQ(strings.size(), static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) EXPECT_EQ(strings[static_cast<size_t>(i)], word(i));
}

// Every size on both sides of the step from inside to outside.
TEST(SmallVector, CopiesAndMovesAtEverySize) {
  for (int from = 0; from <= 8; ++from) {
    expect_words(words(from), from);
    const Strings copy = words(from);
    expect_words(Strings(copy), from);
    Strings source = words(from);
    const Strings moved = std::move(source);
    expect_words(moved, from);
    expect_words(source, 0);  // NOLINT: a moved-from vector is empty and usable
    source.push_back(word(0));
    expect_words(source, 1);
    for (int to = 0; to <= 8; ++to) {
      Strings target = words(to);
      target = copy;
      expect_words(target, from);
      target = words(to);
      expect_words(target, to);
      target = Strings(copy);
      expect_words(target, from);
    }
  }
}

TEST(SmallVector, SelfAssignment) {
  for (int size : {2, 7}) {
    Strings strings = words(size);
    const Strings& same = strings;
    strings = same;
    expect_words(strings, size);
    Strings& alias = strings;
    strings = std::move(alias);
    expect_words(strings, size);
  }
}

TEST(SmallVector, ArgumentsMayStandInTheBufferThatGrows) {
  for (int size : {3, 6}) {
    Strings strings = words(size);
    while (strings.size() < 40) strings.push_back(strings[0]);
    EXPECT_EQ(strings.back(), word(0));
    Strings resized = words(size);
    resized.resize(60, resized[1]);
    EXPECT_EQ(resized.back(), word(1));
  }
}

TEST(SmallVector, FollowsAVectorThroughRandomSteps) {
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    Strings small;
    std::vector<std::string> reference;
    for (int step = 0; step < 200; ++step) {
      const auto n = random();
      switch (n % 6) {
        case 0:
        case 1:
        case 2:
          small.push_back(word(static_cast<int>(n)));
          reference.push_back(word(static_cast<int>(n)));
          break;
        case 3:
          if (reference.empty()) break;
          small.pop_back();
          reference.pop_back();
          break;
        case 4:
          small.resize(n / 6 % 7, "fill");
          reference.resize(n / 6 % 7, "fill");
          break;
        default:
          small.reserve(n / 6 % 20);
      }
      ASSERT_EQ(std::vector<std::string>(small.begin(), small.end()), reference);
    }
  }
}

TEST(SmallVector, ElementsThatOnlyMove) {
  SmallVector<std::unique_ptr<int>, 2> pointers;
  for (int i = 0; i < 9; ++i) pointers.emplace_back(std::make_unique<int>(i));
  const auto moved = std::move(pointers);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(*moved[static_cast<size_t>(i)], i);
}

TEST(SmallVector, Comparison) {
  EXPECT_EQ((SmallVector<int, 2>{1, 2, 3}), (SmallVector<int, 2>{1, 2, 3}));
  EXPECT_FALSE((SmallVector<int, 2>{1, 2}) == (SmallVector<int, 2>{1, 2, 3}));
  EXPECT_FALSE((SmallVector<int, 2>{1, 2}) == (SmallVector<int, 2>{1, 3}));
  EXPECT_EQ((SmallVector<int, 2>(std::vector<int>{4, 5, 6})), (SmallVector<int, 2>{4, 5, 6}));
}

TEST(SmallVector, StaysInsideUpToItsCount) {
  SmallVector<int, 4> numbers;
  const auto* begin = reinterpret_cast<const char*>(&numbers);
  for (int i = 0; i < 4; ++i) numbers.push_back(i);
  const auto* data = reinterpret_cast<const char*>(numbers.data());
  EXPECT_TRUE(data >= begin && data < begin + sizeof numbers);
}

// Elements of larger alignment than malloc's own are aligned inside and outside.
TEST(SmallVector, KeepsAlignment) {
  struct alignas(64) Line {
    int value;
  };
  SmallVector<Line, 2> lines;
  for (int i = 0; i < 5; ++i) {
    lines.push_back({i});
    EXPECT_EQ(reinterpret_cast<uintptr_t>(lines.data()) % 64, 0u);
  }
}

}  // namespace
}  // namespace sprue
