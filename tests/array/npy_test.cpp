#include "array/npy.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/sys.h"

namespace sprue {
namespace {

// The files of tests/data/npy were written by NumPy (2.4, bfloat16 by ml_dtypes 0.5); a = 0..23 of
// shape (2, 3, 4): bool a % 3 == 0, unsigned a, signed a - 12, floating (a - 12) / 4, complex with
// twice the real part as the imaginary one; version*.npy is int16 0..4.
std::string data_path(const std::string& name) { return SPRUE_TEST_DATA "/npy/" + name + ".npy"; }
std::string data_bytes(const std::string& name) { return read_file(data_path(name)).value(); }

template <typename T>
void expect_values(const std::string& name, T (*value)(int)) {
  const Array array = read_npy(data_path(name)).value();
  EXPECT_EQ(array.dtype(), dtype_of<T>);
  EXPECT_EQ(array.shape(), (Shape{2, 3, 4}));
  EXPECT_TRUE(array.is_writable());
  for (int i = 0; i < 24; ++i) EXPECT_EQ(array.data<T>()[i], value(i)) << name << " " << i;
}

TEST(Npy, ReadsEveryDtypeThatNumPyWrites) {
  expect_values<bool>("bool", [](int i) { return i % 3 == 0; });
  expect_values<uint8_t>("uint8", [](int i) { return static_cast<uint8_t>(i); });
  expect_values<uint16_t>("uint16", [](int i) { return static_cast<uint16_t>(i); });
  expect_values<uint32_t>("uint32", [](int i) { return static_cast<uint32_t>(i); });
  expect_values<uint64_t>("uint64", [](int i) { return static_cast<uint64_t>(i); });
  expect_values<int8_t>("int8", [](int i) { return static_cast<int8_t>(i - 12); });
  expect_values<int16_t>("int16", [](int i) { return static_cast<int16_t>(i - 12); });
  expect_values<int32_t>("int32", [](int i) { return i - 12; });
  expect_values<int64_t>("int64", [](int i) { return int64_t{i} - 12; });
  expect_values<Float16>("float16", [](int i) { return Float16((i - 12) / 4.0f); });
  expect_values<BFloat16>("bfloat16", [](int i) { return BFloat16((i - 12) / 4.0f); });
  expect_values<float>("float32", [](int i) { return (i - 12) / 4.0f; });
  expect_values<double>("float64", [](int i) { return (i - 12) / 4.0; });
  expect_values<std::complex<float>>(
      "complex64", [](int i) { return std::complex<float>((i - 12) / 4.0f, (i - 12) / 2.0f); });
}

TEST(Npy, WritesNumPysBytes) {
  for (int i = 0; i < kDtypeCount; ++i) {
    const std::string name(dtype_name(static_cast<Dtype>(i)));
    EXPECT_EQ(npy_bytes(read_npy(data_path(name)).value()), data_bytes(name)) << name;
  }
  for (const char* name : {"scalar", "empty", "version1"})
    EXPECT_EQ(npy_bytes(read_npy(data_path(name)).value()), data_bytes(name)) << name;
}

TEST(Npy, FortranOrderIsAStridedView) {
  const Array array = read_npy(data_path("fortran")).value();
  EXPECT_EQ(array.shape(), (Shape{2, 3, 4}));
  EXPECT_EQ(array.strides(), (Strides{1, 2, 6}));
  EXPECT_FALSE(array.is_row_contiguous());
  std::vector<float> expected;
  for (int i = 0; i < 24; ++i) expected.push_back(static_cast<float>(i));
  EXPECT_EQ(array.to_vector<float>(), expected);
  EXPECT_EQ(read_npy_bytes(npy_bytes(array), "packed").value().to_vector<float>(), expected);
}

TEST(Npy, ScalarEmptyAndVersions) {
  const Array scalar = read_npy(data_path("scalar")).value();
  EXPECT_EQ(scalar.ndim(), 0);
  EXPECT_EQ(scalar.item<float>(), 2.5f);
  const Array empty = read_npy(data_path("empty")).value();
  EXPECT_EQ(empty.shape(), (Shape{3, 0, 2}));
  EXPECT_EQ(empty.dtype(), int32);
  for (const char* name : {"version1", "version2", "version3"})
    EXPECT_EQ(read_npy(data_path(name)).value().to_vector<int16_t>(),
              (std::vector<int16_t>{0, 1, 2, 3, 4}));
}

TEST(Npy, FileRoundTrip) {
  const std::string path = testing::TempDir() + fmt::format("sprue-npy-{}.npy", getpid());
  const Array array = Array::from<uint16_t>({1, 2, 3, 4, 5, 6}, {3, 2}).transposed();
  ASSERT_TRUE(write_npy(path, array));
  const Array again = read_npy(path).value();
  std::filesystem::remove(path);
  EXPECT_EQ(digest(again), digest(array));
  EXPECT_EQ(read_npy(path).error().code(), ErrorCode::not_found);
}

TEST(Npy, HostScalarIsWritten) {
  EXPECT_EQ(read_npy_bytes(npy_bytes(Array(-7)), "s").value().item<int32_t>(), -7);
}

TEST(Npy, ForeignTypesAreRefusedWithAHint) {
  const Error big = read_npy(data_path("big_endian")).error();
  EXPECT_EQ(big.code(), ErrorCode::invalid_argument);
  EXPECT_NE(big.message().find("'>f4'; convert with array.astype('<f4')"), std::string::npos)
      << big.message();
  EXPECT_NE(read_npy(data_path("structured")).error().message().find("structured"),
            std::string::npos);
}

// A file with this header, padded so that its sizes are true.
std::string file(const std::string& header, const std::string& data, char major = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += major;
  bytes += '\0';
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
    bytes += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return bytes + header + data;
}

TEST(Npy, HeadersAsPythonMayWriteThem) {
  const std::string data("\1\0\2\0\3\0\4\0\5\0\6\0", 12);
  for (const char* header : {
           "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3)}",
           "{'descr':'<i2','fortran_order':False,'shape':(2,3),}",
           " { \"shape\" : ( 2L , 3L , ) , \"descr\" : \"=i2\" , \"fortran_order\" : False } \n",
       }) {
    const auto array = read_npy_bytes(file(header, data), "h");
    ASSERT_TRUE(array) << array.error().message();
    EXPECT_EQ(array->to_vector<int16_t>(), (std::vector<int16_t>{1, 2, 3, 4, 5, 6}));
  }
  for (const char* descr : {"|V2", "<V2", "bfloat16"}) {
    const auto header =
        fmt::format("{{'descr': '{}', 'fortran_order': True, 'shape': (6,)}}", descr);
    const auto array = read_npy_bytes(file(header, data), "b");
    ASSERT_TRUE(array) << array.error().message();
    EXPECT_EQ(array->dtype(), bfloat16);
    EXPECT_TRUE(array->is_row_contiguous());
  }
}

TEST(Npy, BoolsBecomeZeroOrOne) {
  const auto array = read_npy_bytes(
      file("{'descr': '|b1', 'fortran_order': False, 'shape': (4,)}", {"\0\1\2\xff", 4}), "b");
  const auto* bytes = static_cast<const uint8_t*>(array.value().address());
  EXPECT_EQ(std::vector<uint8_t>(bytes, bytes + 4), (std::vector<uint8_t>{0, 1, 1, 1}));
}

TEST(Npy, LyingHeadersAreRefused) {
  const std::string data(8, '\0');
  for (const char* header : {
           "",
           "{",
           "{}",
           "[]",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x",
           "{'descr': '<f4', 'fortran_order': False}",
           "{'descr': '<f4', 'shape': (2,)}",
           "{'fortran_order': False, 'shape': (2,)}",
           "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': 1}",
           "{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': 2}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (1,,2)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': ()}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (0,)}",
           // Products that wrap to 8 bytes in 64 bits.
           "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 2)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387906, 4)}",
           "{'descr': '|u1', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 4294967296, 4294967296)}",
           "{'descr': '<f4, 'fortran_order': False, 'shape': (2,)}",
           "{'descr': '', 'fortran_order': False, 'shape': (2,)}",
           "{'descr': 'f4', 'fortran_order': False, 'shape': (2,)}",
           "{'descr': '<f3', 'fortran_order': False, 'shape': (2,)}",
           "{'descr': '|O', 'fortran_order': False, 'shape': (2,)}",
           "{'descr': '<U1', 'fortran_order': False, 'shape': (2,)}",
       }) {
    const auto array = read_npy_bytes(file(header, data), "lie.npy");
    ASSERT_FALSE(array) << header;
    EXPECT_TRUE(array.error().message().starts_with("[npy] expected ")) << array.error().message();
    EXPECT_NE(array.error().message().find("lie.npy"), std::string::npos);
  }
  std::string deep = "{'descr': '<f4', 'fortran_order': False, 'shape': (2";
  for (int i = 0; i < 64; ++i) deep += ", 1";
  EXPECT_FALSE(read_npy_bytes(file(deep + ")}", data), "deep"));
}

TEST(Npy, EveryLengthButTheWholeIsRefused) {
  for (const char* name : {"float32", "version2"}) {
    const std::string bytes = data_bytes(name);
    for (size_t size = 0; size < bytes.size(); ++size)
      ASSERT_FALSE(read_npy_bytes(std::string_view(bytes).substr(0, size), "cut")) << size;
    EXPECT_FALSE(read_npy_bytes(bytes + '\0', "long"));
  }
}

TEST(Npy, OtherFilesAreRefused) {
  EXPECT_NE(read_npy_bytes("PK\3\4....", "a.npz").error().message().find(".npz"),
            std::string::npos);
  std::string bytes = data_bytes("float32");
  for (char major : {0, 4, -1}) {
    bytes[6] = major;
    EXPECT_EQ(read_npy_bytes(bytes, "v").error().code(), ErrorCode::corrupt);
  }
}

}  // namespace
}  // namespace sprue
