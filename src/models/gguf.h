// GGUF files: the weights and the metadata of one model, memory-mapped, read without copying.
//
//   SPRUE_ASSIGN(auto file, Gguf::open("SmolLM2-135M-Instruct.Q4_1.gguf"));
//   SPRUE_ASSIGN(uint64_t layers, file->unsigned_integer("llama.block_count"));
//   SPRUE_ASSIGN(const GgufTensor* matrix, file->tensor("blk.0.ffn_up.weight"));
//   matrix->shape;                                                          // (1536, 576)
//   std::span<const std::byte> blocks = file->bytes(*matrix);               // Q4_1 blocks
//   SPRUE_ASSIGN(Array values, file->dequantize(*matrix));                  // float32
//   SPRUE_ASSIGN(Array norm, file->array(*file->find_tensor("output_norm.weight")));  // in the map
//
// Versions 2 and 3, little-endian. Not for writing, nor for files split into several.
//
// Everything is checked when the file is opened: counts, sizes, names, types, alignment, and that
// each tensor lies in the file and in no other tensor. A file that lies is one error, `corrupt`.
//
// Thread-safety: a Gguf is immutable and may be shared. Cost: opening reads the metadata and the
// list of tensors, no weights; array() shares the map, which lives as long as the last array does.
//
//   <file>   ::= "GGUF" version(u32) tensor_count(u64) value_count(u64)
//                <value>*  <tensor>*  bytes up to the alignment  data
//   <value>  ::= key(string) type(u32) content
//                array content ::= type(u32) count(u64) content*
//   <tensor> ::= name(string) rank(u32) extent(u64)*, innermost first  type(u32) offset(u64) in data
//   string   ::= size(u64) bytes
// The format is described in the file docs/gguf.md of ggml.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/sys.h"
#include "models/ggml_type.h"
#include "models/gguf_value.h"
#include "sprue/array.h"

namespace sprue {

struct GgufTensor {
  std::string_view name;
  std::vector<int64_t> dims;  // elements, innermost first, as in the file
  Shape shape;                // the same, outermost first, as in arrays
  GgmlType type = GgmlType::f32;
  uint64_t offset = 0;     // bytes from the start of the file
  uint64_t byte_size = 0;  // whole blocks
  int64_t elements = 0;
};

class Gguf : public std::enable_shared_from_this<Gguf> {
 public:
  static Result<std::shared_ptr<const Gguf>> open(const std::string& path);
  // `name` is the file's name in errors.
  static Result<std::shared_ptr<const Gguf>> from_bytes(std::string_view bytes, std::string name);

  uint32_t version() const { return version_; }
  uint64_t alignment() const { return alignment_; }  // bytes

  // In file order.
  const std::vector<std::pair<std::string_view, GgufValue>>& metadata() const { return metadata_; }
  const GgufValue* find(std::string_view key) const;  // null if there's no such key
  // The value of a key that must be there; errors name the key.
  Result<uint64_t> unsigned_integer(std::string_view key) const;
  Result<double> number(std::string_view key) const;
  Result<bool> boolean(std::string_view key) const;
  Result<std::string_view> string(std::string_view key) const;
  Result<GgufValue> value(std::string_view key) const;

  const std::vector<GgufTensor>& tensors() const { return tensors_; }
  const GgufTensor* find_tensor(std::string_view name) const;     // null if there's none
  Result<const GgufTensor*> tensor(std::string_view name) const;  // an error if there's none

  // Of a tensor of this file.
  std::span<const std::byte> bytes(const GgufTensor& tensor) const;
  // F32, F16 and BF16: a read-only view of the map. For blocks, use bytes() or dequantize().
  Result<Array> array(const GgufTensor& tensor) const;
  // A fresh float32 array of the tensor's shape; of the types that ggml_type.h can dequantize.
  Result<Array> dequantize(const GgufTensor& tensor) const;

 private:
  Status load(std::string_view bytes);

  std::string name_;
  MappedFile map_;
  Array owned_;  // aligned copy of bytes that didn't come from a file
  std::string_view bytes_;
  uint32_t version_ = 0;
  uint64_t alignment_ = 0;
  std::vector<std::pair<std::string_view, GgufValue>> metadata_;
  std::vector<GgufTensor> tensors_;
  std::unordered_map<std::string_view, size_t> metadata_index_;
  std::unordered_map<std::string_view, size_t> tensor_index_;
};

}  // namespace sprue
