// What a cubin (NVIDIA's machine code, an ELF file) says about one of its kernels.
//
//   SPRUE_ASSIGN(CubinKernel kernel, read_cubin_kernel(bytes, "custom_kernel_scale_float_float"));
//   kernel.parameters[0].size      // 8: a pointer
//
// The format isn't published; what is read here was found by looking at files of CUDA 12 and 13: a section
// ".nv.info.NAME" of records {u8 form, u8 attribute, u16 size or value, payload}, of which
// 0x17 describes a parameter {u32, u16 ordinal, u16 offset, u32 with the size from bit 18 on} and
// 0x10 the block size that the kernel requires {u32 x, y, z}; and a section ".nv.shared.NAME" as long as the
// shared memory.
//
// Not for fatbins and PTX. Any bytes are safe to hand in. Errors: invalid_argument for what isn't a cubin,
// not_found for a kernel that it doesn't have.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "program/signature.h"

namespace sprue {

struct CubinParameter {
  uint32_t offset = 0, size = 0;  // bytes
  bool operator==(const CubinParameter&) const = default;
};

struct CubinKernel {
  std::vector<CubinParameter> parameters;  // in order
  uint32_t required_block[3] = {0, 0, 0};  // threads; zeros: any
  uint64_t shared_bytes = 0;               // static shared memory of a block
};

Result<CubinKernel> read_cubin_kernel(std::string_view bytes, std::string_view entry_name);

// The parameters that program/cuda_abi.h gives a kernel of this signature, the launch included.
std::vector<CubinParameter> cuda_parameters(const Signature& signature);

// An error (internal) that names the first parameter that isn't as cuda_parameters() says.
Status check_cubin(std::string_view bytes, std::string_view entry_name, const Signature& signature);

}  // namespace sprue
