// A cubin put together here, as a reader of the format would: ELF header, names, one section of records.
#include "program/cubin.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>

namespace sprue {
namespace {

template <typename T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

std::string parameter(uint16_t ordinal, uint16_t offset, uint32_t size) {
  std::string record = {4, 0x17};
  put<uint16_t>(record, 12);
  put<uint32_t>(record, 0);
  put(record, ordinal);
  put(record, offset);
  put<uint32_t>(record, size << 18 | 0x1f000);
  return record;
}

std::string cubin(const std::string& records, const std::string& section_name = ".nv.info.k") {
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_machine = 190;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 1;
  const std::string names = std::string("\0.shstrtab\0", 11) + section_name + '\0';
  header.e_shoff = sizeof(header) + names.size() + records.size();
  Elf64_Shdr none = {}, strings = {}, info = {};
  strings.sh_name = 1;
  strings.sh_offset = sizeof(header);
  strings.sh_size = names.size();
  info.sh_name = 11;
  info.sh_offset = sizeof(header) + names.size();
  info.sh_size = records.size();
  std::string bytes;
  put(bytes, header);
  bytes += names + records;
  put(bytes, none);
  put(bytes, strings);
  put(bytes, info);
  return bytes;
}

const std::string kHalfWord = {3, 0x1b, static_cast<char>(0xff), 0};  // a record without payload
std::string block(uint32_t x, uint32_t y, uint32_t z) {
  std::string record = {4, 0x10, 12, 0};
  put(record, x);
  put(record, y);
  put(record, z);
  return record;
}

TEST(Cubin, ReadsParametersAndBlock) {
  const auto kernel = read_cubin_kernel(
      cubin(kHalfWord + parameter(1, 8, 4) + parameter(0, 0, 8) + block(32, 4, 1)), "k");
  ASSERT_TRUE(kernel) << kernel.error().what();
  EXPECT_EQ(kernel->parameters, (std::vector<CubinParameter>{{0, 8}, {8, 4}}));
  EXPECT_EQ(kernel->required_block[0], 32u);
  EXPECT_EQ(kernel->required_block[1], 4u);
  EXPECT_EQ(kernel->required_block[2], 1u);
}

TEST(Cubin, ReadsSharedMemoryThatTakesNoBytesOfTheFile) {
  std::string bytes = cubin(kHalfWord);
  // The names' section is renamed: what counts is a header of that name, wherever its content is.
  const std::string name = ".nv.shared.k";
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  Elf64_Shdr strings;
  std::memcpy(&strings, bytes.data() + header.e_shoff + sizeof(strings), sizeof(strings));
  Elf64_Shdr shared = {};
  shared.sh_type = SHT_NOBITS;
  shared.sh_name = static_cast<uint32_t>(bytes.size() + sizeof(shared) - strings.sh_offset);
  shared.sh_size = 5000;
  put(bytes, shared);
  bytes += name + '\0';
  strings.sh_size = bytes.size() - strings.sh_offset;
  std::memcpy(bytes.data() + header.e_shoff + sizeof(strings), &strings, sizeof(strings));
  header.e_shnum = 4;
  std::memcpy(bytes.data(), &header, sizeof(header));
  EXPECT_EQ(value_or_throw(read_cubin_kernel(bytes, "k")).shared_bytes, 5000u);
  EXPECT_EQ(value_or_throw(read_cubin_kernel(cubin(kHalfWord), "k")).shared_bytes, 0u);
}

TEST(Cubin, NamesAKernelThatIsntThere) {
  const auto kernel = read_cubin_kernel(cubin(kHalfWord), "other");
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().code(), ErrorCode::not_found);
  EXPECT_NE(kernel.error().message().find("'other'"), std::string::npos);
}

TEST(Cubin, RefusesOtherFiles) {
  std::string foreign = cubin(kHalfWord);
  foreign[18] = 62;  // x86-64
  for (const std::string& bytes : {std::string(),
                                   std::string("\x7f"
                                               "ELF"),
                                   std::string(300, 'x'), foreign}) {
    const auto kernel = read_cubin_kernel(bytes, "k");
    ASSERT_FALSE(kernel);
    EXPECT_EQ(kernel.error().code(), ErrorCode::invalid_argument);
  }
}

TEST(Cubin, SurvivesEveryCutAndEveryByteChanged) {
  const std::string whole =
      cubin(kHalfWord + parameter(1, 8, 4) + parameter(0, 0, 8) + block(32, 4, 1));
  for (size_t size = 0; size < whole.size(); ++size)
    (void)read_cubin_kernel(whole.substr(0, size), "k");
  for (size_t at = 0; at < whole.size(); ++at)
    for (int value : {0x00, 0x01, 0x7f, 0xff}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(value);
      (void)read_cubin_kernel(changed, "k");
    }
  // A payload that runs over the section's end.
  EXPECT_FALSE(read_cubin_kernel(cubin({4, 0x17, 40, 0, 1, 2}), "k"));
  EXPECT_FALSE(read_cubin_kernel(cubin({4, 0x17, 2, 0, 1, 2}), "k"));
}

Parameter slot(ParameterKind kind, bool is_scalar = false, bool is_mutable = false) {
  Parameter parameter;
  parameter.kind = kind;
  parameter.is_scalar = is_scalar;
  parameter.is_mutable = is_mutable;
  return parameter;
}

TEST(Cubin, ChecksTheParametersOfASignature) {
  Signature signature;
  signature.parameters = {slot(ParameterKind::input), slot(ParameterKind::input, true),
                          slot(ParameterKind::shape), slot(ParameterKind::strides),
                          slot(ParameterKind::ndim),  slot(ParameterKind::input, true, true),
                          slot(ParameterKind::output)};
  const std::vector<CubinParameter> expected = {{0, 8},   {16, 16}, {32, 40}, {72, 80},
                                                {152, 4}, {160, 8}, {168, 8}, {176, 36}};
  EXPECT_EQ(cuda_parameters(signature), expected);
  std::string records;
  for (size_t i = 0; i < expected.size(); ++i)
    records += parameter(static_cast<uint16_t>(i), static_cast<uint16_t>(expected[i].offset),
                         expected[i].size);
  EXPECT_TRUE(check_cubin(cubin(records), "k", signature));
  EXPECT_FALSE(check_cubin(cubin(records + parameter(8, 212, 4)), "k", signature));
  const Status status = check_cubin(cubin(records + parameter(4, 152, 8)), "k", signature);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(),
            "[cubin] expected parameter 4 of kernel 'k' to have 4 bytes at 152, got 8 at 152");
}

}  // namespace
}  // namespace sprue
