#include "program/cubin.h"

#include <elf.h>

#include <cstring>
#include <optional>

#include "program/cuda_abi.h"
#include "program/identifier.h"

namespace sprue {

namespace {

// The bytes at [offset, offset + size), if they are all there.
std::optional<std::string_view> part(std::string_view bytes, uint64_t offset, uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) return std::nullopt;
  return bytes.substr(offset, size);
}

template <typename T>
std::optional<T> read(std::string_view bytes, uint64_t offset) {
  const auto found = part(bytes, offset, sizeof(T));
  if (!found) return std::nullopt;
  T value;
  std::memcpy(&value, found->data(), sizeof(T));
  return value;
}

class Sections {
 public:
  static std::optional<Sections> of(std::string_view bytes) {
    constexpr uint16_t kMachineCuda = 190;  // EM_CUDA
    const auto header = read<Elf64_Ehdr>(bytes, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != kMachineCuda)
      return std::nullopt;
    Sections sections(bytes, *header);
    const auto names = sections.header(header->e_shstrndx);
    if (!names) return std::nullopt;
    sections.names_ = part(bytes, names->sh_offset, names->sh_size).value_or("");
    return sections;
  }

  std::optional<Elf64_Shdr> find(std::string_view name) const {
    for (uint16_t i = 0; i < elf_.e_shnum; ++i) {
      const auto section = header(i);
      if (!section || section->sh_name >= names_.size()) continue;
      const std::string_view rest = names_.substr(section->sh_name);
      if (rest.substr(0, rest.find('\0')) == name) return section;
    }
    return std::nullopt;
  }

  std::optional<std::string_view> content(std::string_view name) const {
    const auto section = find(name);
    if (!section) return std::nullopt;
    return part(bytes_, section->sh_offset, section->sh_size);
  }

 private:
  Sections(std::string_view bytes, const Elf64_Ehdr& elf) : bytes_(bytes), elf_(elf) {}
  std::optional<Elf64_Shdr> header(uint16_t index) const {
    if (index >= elf_.e_shnum || elf_.e_shoff > bytes_.size()) return std::nullopt;
    return read<Elf64_Shdr>(bytes_, elf_.e_shoff + uint64_t{index} * elf_.e_shentsize);
  }

  std::string_view bytes_, names_;
  Elf64_Ehdr elf_;
};

constexpr uint8_t kSizedForm = 4;  // the payload stands behind the record's head
constexpr uint8_t kRequiredBlock = 0x10;
constexpr uint8_t kParameter = 0x17;
constexpr size_t kMostParameters = 4096;

// False where a record contradicts itself.
bool take_record(uint8_t attribute, std::string_view payload, CubinKernel& kernel) {
  if (attribute == kRequiredBlock) {
    for (uint64_t axis = 0; axis < 3; ++axis) {
      const auto extent = read<uint32_t>(payload, 4 * axis);
      if (!extent) return false;
      kernel.required_block[axis] = *extent;
    }
  } else if (attribute == kParameter) {
    const auto ordinal = read<uint16_t>(payload, 4), offset = read<uint16_t>(payload, 6);
    const auto word = read<uint32_t>(payload, 8);
    if (!ordinal || !offset || !word || *ordinal >= kMostParameters) return false;
    if (kernel.parameters.size() <= *ordinal) kernel.parameters.resize(*ordinal + size_t{1});
    kernel.parameters[*ordinal] = {*offset, *word >> 18};
  }
  return true;
}

}  // namespace

Result<CubinKernel> read_cubin_kernel(std::string_view bytes, std::string_view entry_name) {
  const auto sections = Sections::of(bytes);
  if (!sections)
    return fail(ErrorCode::invalid_argument, "cubin",
                "expected a cubin (an ELF file for CUDA), got other bytes");
  const auto info = sections->content(fmt::format(".nv.info.{}", entry_name));
  if (!info)
    return fail(ErrorCode::not_found, "cubin",
                "expected kernel {} in the cubin, got none of that name", shown_name(entry_name));
  CubinKernel kernel;
  // It takes no bytes of the file.
  if (const auto shared = sections->find(fmt::format(".nv.shared.{}", entry_name)))
    kernel.shared_bytes = shared->sh_size;
  // From Hopper on the section counts what the driver takes for itself, and this one tells of it.
  constexpr uint64_t kReserved = 1024;
  if (kernel.shared_bytes >= kReserved && sections->find(".nv.shared.reserved.0"))
    kernel.shared_bytes -= kReserved;
  for (uint64_t at = 0; at < info->size();) {
    const auto form = read<uint8_t>(*info, at), attribute = read<uint8_t>(*info, at + 1);
    const auto size = read<uint16_t>(*info, at + 2);
    at += 4;
    const uint64_t payload_size = form == kSizedForm ? size.value_or(0) : 0;
    const auto payload = part(*info, at, payload_size);
    if (!size || !payload || (form == kSizedForm && !take_record(*attribute, *payload, kernel)))
      return fail(
          ErrorCode::invalid_argument, "cubin",
          "expected the attributes of kernel {} to be whole, got a broken record; the file is "
          "damaged",
          shown_name(entry_name));
    at += payload_size;
  }
  return kernel;
}

std::vector<CubinParameter> cuda_parameters(const Signature& signature) {
  std::vector<CubinParameter> parameters;
  uint32_t offset = 0;
  const auto add = [&](size_t size, size_t alignment) {
    const auto step = static_cast<uint32_t>(alignment);
    offset = (offset + step - 1) / step * step;
    parameters.push_back({offset, static_cast<uint32_t>(size)});
    offset += static_cast<uint32_t>(size);
  };
  for (const Parameter& parameter : signature.parameters) {
    if (parameter.kind == ParameterKind::shape)
      add(sizeof(SprueCudaShape), alignof(SprueCudaShape));
    else if (parameter.kind == ParameterKind::strides)
      add(sizeof(SprueCudaStrides), alignof(SprueCudaStrides));
    else if (parameter.kind == ParameterKind::ndim)
      add(sizeof(int), alignof(int));
    else if (parameter.is_scalar && !parameter.is_mutable)
      add(sizeof(SprueCudaScalar<uint64_t>), alignof(SprueCudaScalar<uint64_t>));
    else
      add(sizeof(void*), alignof(void*));
  }
  add(sizeof(SprueCudaLaunch), alignof(SprueCudaLaunch));
  return parameters;
}

Status check_cubin(std::string_view bytes, std::string_view entry_name,
                   const Signature& signature) {
  SPRUE_ASSIGN(const CubinKernel kernel, read_cubin_kernel(bytes, entry_name));
  const std::vector<CubinParameter> expected = cuda_parameters(signature);
  if (kernel.parameters.size() != expected.size())
    return fail(ErrorCode::internal, "cubin", "expected kernel {} to have {} parameters, got {}",
                shown_name(entry_name), expected.size(), kernel.parameters.size());
  for (size_t i = 0; i < expected.size(); ++i)
    if (kernel.parameters[i] != expected[i])
      return fail(ErrorCode::internal, "cubin",
                  "expected parameter {} of kernel {} to have {} bytes at {}, got {} at {}", i,
                  shown_name(entry_name), expected[i].size, expected[i].offset,
                  kernel.parameters[i].size, kernel.parameters[i].offset);
  return {};
}

}  // namespace sprue
