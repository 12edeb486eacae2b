#include <new>

#include "array/npy.h"
#include "kernel_file/kernel_file.h"
#include "kernel_file/table_reader.h"

namespace sprue {
namespace {

Result<Array> make_input(const KernelFile& file, const InputSpec& spec) {
  if (const auto* value = std::get_if<Array>(&spec.content)) return *value;
  if (const auto* from_file = std::get_if<FileInput>(&spec.content)) {
    Result<Array> array = read_npy(from_file->path);
    if (array) return array;
    return tl::unexpected(error_at(
        file.path, spec.line,
        fmt::format("{} (for {})", without_origin(array.error().message()), quoted(spec.name)),
        array.error().code()));
  }
  const auto& filled = std::get<FilledInput>(spec.content);
  try {
    Array array = Array::empty(filled.shape, filled.dtype);
    SPRUE_CHECK(fill_array(array, filled.fill, filled.seed));
    return array;
  } catch (const std::bad_alloc&) {
    return tl::unexpected(error_at(file.path, spec.line,
                                   fmt::format("expected memory for {} of shape {}, got none",
                                               quoted(spec.name), to_string(filled.shape))));
  }
}

}  // namespace

Result<KernelCall> make_call(const KernelFile& file, const CallSpec& spec) {
  KernelCall call;
  call.grid = spec.grid;
  call.threadgroup = spec.threadgroup;
  call.template_arguments = spec.template_arguments;
  call.init_value = spec.init_value;
  for (const InputSpec& input : spec.inputs) {
    SPRUE_ASSIGN(Array array, make_input(file, input));
    call.inputs.push_back(std::move(array));
  }
  for (const OutputSpec& output : spec.outputs) {
    call.output_shapes.push_back(output.shape);
    call.output_dtypes.push_back(output.dtype);
  }
  return call;
}

}  // namespace sprue
