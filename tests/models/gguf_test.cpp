#include "models/gguf.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sprue {
namespace {

// Written by scripts/make-test-gguf, which says what stands in them.
std::string data_path(const std::string& name) { return SPRUE_TEST_DATA "/gguf/" + name; }
std::string data_bytes(const std::string& name) { return read_file(data_path(name)).value(); }
std::shared_ptr<const Gguf> small() { return Gguf::open(data_path("small.gguf")).value(); }

std::string message_of(std::string_view bytes) {
  const auto file = Gguf::from_bytes(bytes, "some.gguf");
  if (file) return "";
  EXPECT_TRUE(file.error().message().starts_with("[gguf] expected ")) << file.error().message();
  EXPECT_NE(file.error().message().find("'some.gguf'"), std::string::npos);
  return file.error().message();
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

TEST(Gguf, Header) {
  EXPECT_EQ(small()->version(), 3u);
  EXPECT_EQ(small()->alignment(), 64u);
  EXPECT_EQ(small()->metadata().size(), 22u);
  EXPECT_EQ(small()->metadata()[0].first, "general.architecture");
  const auto second = Gguf::open(data_path("version2.gguf")).value();
  EXPECT_EQ(second->version(), 2u);
  EXPECT_EQ(second->alignment(), 32u);
  EXPECT_EQ(second->tensors().size(), 4u);
  EXPECT_EQ(Gguf::open(data_path("none")).error().code(), ErrorCode::not_found);
}

TEST(Gguf, ValuesOfEveryType) {
  const auto file = small();
  EXPECT_EQ(file->string("general.architecture").value(), "llama");
  EXPECT_EQ(file->unsigned_integer("test.uint8").value(), 200u);
  EXPECT_EQ(file->find("test.int8")->integer().value(), -100);
  EXPECT_EQ(file->unsigned_integer("test.uint16").value(), 60000u);
  EXPECT_EQ(file->find("test.int16")->integer().value(), -30000);
  EXPECT_EQ(file->unsigned_integer("test.uint32").value(), 4000000000u);
  EXPECT_EQ(file->find("test.int32")->integer().value(), -2000000000);
  EXPECT_EQ(file->unsigned_integer("test.uint64").value(), UINT64_MAX);
  EXPECT_EQ(file->find("test.int64")->integer().value(), INT64_MIN);
  EXPECT_EQ(file->number("test.float32").value(), 0.15625);
  EXPECT_EQ(file->number("test.float64").value(), 0.1);
  EXPECT_EQ(file->number("test.int8").value(), -100);
  EXPECT_EQ(file->number("test.uint64").value(), 0x1p64);
  EXPECT_TRUE(file->boolean("test.true").value());
  EXPECT_FALSE(file->boolean("test.false").value());
  EXPECT_EQ(file->string("test.empty_string").value(), "");
  EXPECT_EQ(file->string("test.unicode").value(), "Gußkanal");
}

TEST(Gguf, Arrays) {
  const auto file = small();
  EXPECT_EQ(file->value("test.strings").value().strings().value(),
            (std::vector<std::string_view>{"a", "", "Ġthe", std::string(300, 'x')}));
  EXPECT_EQ(file->find("test.integers")->integers().value(),
            (std::vector<int64_t>{-1, 0, 1, INT32_MAX}));
  EXPECT_EQ(file->find("test.floats")->numbers().value(), (std::vector<double>{0.5, -2}));
  EXPECT_EQ(file->find("test.bools")->booleans().value(), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(file->find("test.empty_array")->count(), 0u);
  EXPECT_TRUE(file->find("test.empty_array")->integers().value().empty());
  const auto nested = file->find("test.nested")->arrays().value();
  ASSERT_EQ(nested.size(), 3u);
  EXPECT_EQ(nested[0].integers().value(), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(nested[1].strings().value(), (std::vector<std::string_view>{"s"}));
  EXPECT_TRUE(nested[2].arrays().value().empty());
}

TEST(Gguf, ValuesOfAnotherTypeAreErrorsThatNameTheKey) {
  const auto file = small();
  EXPECT_TRUE(has(file->unsigned_integer("test.int8").error().message(), "-100; key 'test.int8'"));
  EXPECT_FALSE(file->unsigned_integer("test.float32"));
  EXPECT_FALSE(file->unsigned_integer("test.true"));
  EXPECT_FALSE(file->find("test.uint64")->integer());
  EXPECT_FALSE(file->number("general.architecture"));
  EXPECT_FALSE(file->boolean("test.uint8"));
  EXPECT_FALSE(file->string("test.strings"));
  EXPECT_FALSE(file->find("test.strings")->integers());
  EXPECT_FALSE(file->find("test.integers")->strings());
  EXPECT_FALSE(file->find("test.integers")->arrays());
  EXPECT_FALSE(file->find("test.int8")->integers());
  EXPECT_EQ(file->string("none").error().code(), ErrorCode::not_found);
  EXPECT_EQ(file->find("none"), nullptr);
}

TEST(Gguf, TensorsHaveShapesAndPlaces) {
  const auto file = small();
  const GgufTensor* tensor = file->tensor("f32").value();
  EXPECT_EQ(tensor->dims, (std::vector<int64_t>{3, 2, 2}));
  EXPECT_EQ(tensor->shape, (Shape{2, 2, 3}));
  EXPECT_EQ(tensor->elements, 12);
  EXPECT_EQ(tensor->byte_size, 48u);
  const std::pair<const char*, uint64_t> sizes[] = {
      {"f16", 10},      {"bf16", 28}, {"q8_0", 6 * 34}, {"q4_1", 6 * 20}, {"q6_k", 4 * 210},
      {"q4_0", 2 * 18}, {"q5_0", 22}, {"q5_1", 24},     {"q4_k", 144},
  };
  for (const auto& [name, size] : sizes) {
    ASSERT_NE(file->find_tensor(name), nullptr) << name;
    EXPECT_EQ(file->find_tensor(name)->byte_size, size) << name;
    EXPECT_EQ(file->find_tensor(name)->offset % 64, 0u);
    EXPECT_EQ(file->bytes(*file->find_tensor(name)).size(), size);
  }
  EXPECT_EQ(file->find_tensor("none"), nullptr);
  EXPECT_EQ(file->tensor("none").error().code(), ErrorCode::not_found);
}

// The expected values were computed by the script, element by element.
TEST(Gguf, DequantizedValues) {
  const auto file = small();
  for (const char* name : {"f32", "f16", "bf16", "q8_0", "q4_1", "q6_k"}) {
    const GgufTensor* tensor = file->tensor(name).value();
    const Array values = file->dequantize(*tensor).value();
    EXPECT_EQ(values.shape(), tensor->shape);
    const Array expected =
        file->array(*file->tensor(std::string(name) + ".values").value()).value();
    EXPECT_EQ(values.to_vector<float>(), expected.to_vector<float>()) << name;
    float largest = 0;
    for (float value : values.to_vector<float>()) largest = std::max(largest, std::abs(value));
    EXPECT_GT(largest, 0) << name;
  }
  for (const char* name : {"q4_0", "q5_0", "q5_1", "q4_k"}) {
    const auto values = file->dequantize(*file->tensor(name).value());
    ASSERT_FALSE(values);
    EXPECT_EQ(values.error().code(), ErrorCode::invalid_argument);
  }
  const std::byte block[34] = {};
  float values[32];
  EXPECT_TRUE(dequantize(GgmlType::q8_0, block, values));
  EXPECT_FALSE(dequantize(GgmlType::q8_0, std::span(block).first(33), values));
  EXPECT_FALSE(dequantize(GgmlType::q8_0, block, std::span(values).first(31)));
  EXPECT_FALSE(dequantize(GgmlType::q8_0, {}, values));
}

TEST(Gguf, ArraysAreViewsThatKeepTheFile) {
  auto file = small();
  const auto weak = std::weak_ptr(file);
  const GgufTensor tensor = *file->tensor("f16").value();
  Array array = file->array(tensor).value();
  EXPECT_EQ(array.address(), static_cast<const void*>(file->bytes(tensor).data()));
  EXPECT_EQ(array.dtype(), float16);
  EXPECT_FALSE(array.is_writable());
  EXPECT_EQ(file->array(*file->tensor("bf16").value()).value().dtype(), bfloat16);
  EXPECT_FALSE(file->array(*file->tensor("q4_1").value()));
  file = nullptr;
  EXPECT_FALSE(weak.expired());
  EXPECT_EQ(array.to_vector<Float16>().size(), 5u);
  array = Array();
  EXPECT_TRUE(weak.expired());
}

// A GGUF file piece by piece, true unless told otherwise.
class Builder {
 public:
  template <typename Number>
  static std::string number(Number value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
  }
  static std::string text(const std::string& value) {
    return number(uint64_t{value.size()}) + value;
  }

  Builder& value(const std::string& key, uint32_t type, const std::string& content) {
    values_ += text(key) + number(type) + content;
    ++value_count;
    return *this;
  }
  Builder& tensor(const std::string& name, const std::vector<uint64_t>& dims, uint32_t type,
                  uint64_t offset) {
    tensors_ += text(name) + number(static_cast<uint32_t>(dims.size()));
    for (uint64_t extent : dims) tensors_ += number(extent);
    tensors_ += number(type) + number(offset);
    ++tensor_count;
    return *this;
  }
  std::string bytes() const {
    std::string file =
        "GGUF" + number(version) + number(tensor_count) + number(value_count) + values_ + tensors_;
    file.append((32 - file.size() % 32) % 32, '\0');
    return file + std::string(data_size, 'd');
  }

  uint32_t version = 3;
  uint64_t tensor_count = 0, value_count = 0;
  size_t data_size = 0;

 private:
  std::string values_, tensors_;
};

TEST(Gguf, SmallestFiles) {
  EXPECT_EQ(message_of(Builder().bytes()), "");
  Builder scalar;
  scalar.data_size = 4;
  const auto file = Gguf::from_bytes(scalar.tensor("s", {}, 0, 0).bytes(), "s").value();
  EXPECT_EQ(file->tensors()[0].elements, 1);
  EXPECT_EQ(file->array(file->tensors()[0]).value().ndim(), 0);
  const auto empty = Gguf::from_bytes(Builder().tensor("e", {0, 5}, 0, 0).bytes(), "e").value();
  EXPECT_EQ(empty->array(empty->tensors()[0]).value().shape(), (Shape{5, 0}));
  EXPECT_EQ(empty->dequantize(empty->tensors()[0]).value().size(), 0);
}

TEST(Gguf, OtherFilesAndVersions) {
  EXPECT_TRUE(has(message_of(""), "convert"));
  EXPECT_TRUE(has(message_of("GGML...."), "convert"));
  EXPECT_NE(message_of("GGUF"), "");
  for (uint32_t version : {0u, 1u, 4u, 0x03000000u, UINT32_MAX}) {
    Builder builder;
    builder.version = version;
    const std::string message = message_of(builder.bytes());
    EXPECT_TRUE(has(message, version == 0x03000000u ? "big-endian" : "version")) << message;
  }
}

TEST(Gguf, EveryLengthButTheWholeIsRefused) {
  for (const char* name : {"small.gguf", "version2.gguf"}) {
    const std::string bytes = data_bytes(name);
    // The last tensor's bytes may be followed by padding, which nothing needs.
    const auto file = Gguf::from_bytes(bytes, "whole").value();
    const GgufTensor& last = file->tensors().back();
    for (size_t size = 0; size < last.offset + last.byte_size; ++size)
      ASSERT_NE(message_of(std::string_view(bytes).substr(0, size)), "") << name << " " << size;
    EXPECT_EQ(message_of(bytes), "");
  }
}

constexpr uint64_t kLies[] = {2,
                              100,
                              uint64_t{1} << 32,
                              uint64_t{1} << 40,
                              uint64_t{1} << 60,
                              INT64_MAX,
                              uint64_t{1} << 63,
                              UINT64_MAX - 7,
                              UINT64_MAX};

TEST(Gguf, LyingCountsAndSizesAreRefused) {
  const std::string one = Builder::number(uint8_t{1});
  for (uint64_t lie : kLies) {
    Builder tensors = Builder().tensor("t", {1}, 0, 0);
    tensors.data_size = 4;
    EXPECT_EQ(message_of(tensors.bytes()), "");
    tensors.tensor_count = lie;
    EXPECT_NE(message_of(tensors.bytes()), "") << lie;
    Builder values = Builder().value("k", 0, one);
    EXPECT_EQ(message_of(values.bytes()), "");
    values.value_count = lie;
    EXPECT_NE(message_of(values.bytes()), "") << lie;
    if (lie == 2) continue;  // may be there
    EXPECT_NE(message_of(Builder().value("k", 8, Builder::number(lie) + "abc").bytes()), "") << lie;
    for (uint32_t element : {0u, 5u, 7u, 8u, 9u, 12u})
      EXPECT_NE(message_of(Builder()
                               .value("k", 9, Builder::number(element) + Builder::number(lie) + one)
                               .bytes()),
                "")
          << element << " " << lie;
    Builder offset = Builder().tensor("t", {8}, 0, lie / 32 * 32);
    offset.data_size = 32;
    EXPECT_NE(message_of(offset.bytes()), "") << lie;
    for (const std::vector<uint64_t>& dims :
         {std::vector<uint64_t>{lie}, {1, lie}, {lie, lie}, {lie, lie, lie, lie}, {0, lie, lie}}) {
      Builder shape = Builder().tensor("t", dims, 0, 0);
      shape.data_size = 256;
      if (dims[0] == 0 && lie <= uint64_t{1} << 32) continue;  // empty, and of a size that fits
      EXPECT_NE(message_of(shape.bytes()), "") << lie;
    }
  }
}

TEST(Gguf, EmptyTensorsWhoseOtherExtentsFitAreArrays) {
  const auto file =
      Gguf::from_bytes(Builder().tensor("t", {0, 1u << 29, 1u << 30}, 0, 0).bytes(), "e").value();
  EXPECT_EQ(file->array(file->tensors()[0]).value().size(), 0);
  EXPECT_EQ(file->dequantize(file->tensors()[0]).value().size(), 0);
  EXPECT_NE(message_of(Builder().tensor("t", {0, 1u << 30, 1u << 30}, 0, 0).bytes()), "");
}

TEST(Gguf, LyingTensorsAreRefused) {
  auto refuse = [](Builder builder, std::string_view part) {
    builder.data_size = 256;
    const std::string message = message_of(builder.bytes());
    EXPECT_TRUE(has(message, part)) << message;
  };
  refuse(Builder().tensor("t", {1, 1, 1, 1, 1}, 0, 0), "at most 4 dimensions");
  for (uint32_t type : {4u, 5u, 9u, 13u, 24u, 31u, 1000u, UINT32_MAX})
    refuse(Builder().tensor("t", {32}, type, 0), fmt::format("type number {}", type));
  refuse(Builder().tensor("", {1}, 0, 0), "a tensor's name");
  refuse(Builder().tensor("t", {33}, 8, 0), "whole blocks of 32");
  refuse(Builder().tensor("t", {16, 2}, 3, 0), "whole blocks of 32");
  refuse(Builder().tensor("t", {}, 3, 0), "whole blocks of 32");
  refuse(Builder().tensor("t", {128}, 14, 0), "whole blocks of 256");
  refuse(Builder().tensor("t", {1}, 0, 4), "a multiple of 32");
  refuse(Builder().tensor("t", {65}, 0, 0), "inside the 256 bytes of data");
  refuse(Builder().tensor("t", {64}, 0, 32), "inside the 256 bytes of data");
  refuse(Builder().tensor("t", {1}, 0, 256), "inside the 256 bytes of data");
  refuse(Builder().tensor("a", {1}, 0, 0).tensor("a", {1}, 0, 32), "'a' twice");
  refuse(Builder().tensor("a", {9}, 0, 0).tensor("b", {1}, 0, 32), "'b' inside 'a'");
  refuse(Builder().tensor("a", {1}, 0, 0).tensor("b", {1}, 0, 0), "inside");
  Builder apart = Builder().tensor("b", {1}, 0, 32).tensor("a", {8}, 0, 0);
  apart.data_size = 64;
  EXPECT_EQ(message_of(apart.bytes()), "");
}

TEST(Gguf, LyingValuesAreRefused) {
  auto refuse = [](const Builder& builder, std::string_view part) {
    const std::string message = message_of(builder.bytes());
    EXPECT_TRUE(has(message, part)) << message;
  };
  const std::string byte = Builder::number(uint8_t{1});
  refuse(Builder().value("k", 13, byte), "below 13 in 'some.gguf', got 13");
  refuse(Builder().value("k", UINT32_MAX, byte), "below 13");
  refuse(Builder().value("k", 7, Builder::number(uint8_t{2})), "0 or 1 as value 'k'");
  refuse(Builder().value("k", 9, Builder::number(7u) + Builder::number(uint64_t{1}) + "\3"),
         "0 or 1");
  refuse(Builder().value("k", 0, byte).value("k", 0, byte), "'k' twice");
  refuse(Builder().value("", 0, byte), "a key");
  for (uint32_t alignment : {0u, 1u, 4u, 24u, 48u, 1u << 21, UINT32_MAX})
    refuse(Builder().value("general.alignment", 4, Builder::number(alignment)), "a power of two");
  refuse(Builder().value("general.alignment", 8, Builder::text("32")), "a power of two");
}

TEST(Gguf, NestedArraysHaveADepth) {
  for (int depth : {1, 4, 5, 1000}) {
    std::string content;
    for (int i = 1; i < depth; ++i) content += Builder::number(9u) + Builder::number(uint64_t{1});
    content += Builder::number(0u) + Builder::number(uint64_t{0});
    const std::string message = message_of(Builder().value("k", 9, content).bytes());
    EXPECT_EQ(message.empty(), depth <= 4) << message;
  }
}

// No byte of the head, whatever its value, makes the reader leave its memory (under the
// sanitizers).
TEST(Gguf, EveryFlippedByteIsReadOrRefused) {
  const std::string bytes = data_bytes("small.gguf");
  const size_t head = Gguf::from_bytes(bytes, "whole").value()->tensors()[0].offset;
  for (size_t i = 0; i < head; ++i)
    for (int flip : {0x01, 0x80, 0xff}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      const auto file = Gguf::from_bytes(damaged, "damaged");
      if (!file) continue;
      for (const GgufTensor& tensor : (*file)->tensors()) {
        (void)(*file)->dequantize(tensor);
        EXPECT_EQ((*file)->bytes(tensor).size(), tensor.byte_size);
      }
      for (const auto& [key, value] : (*file)->metadata()) (void)value.strings();
    }
}

}  // namespace
}  // namespace sprue
