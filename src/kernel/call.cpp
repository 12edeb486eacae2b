// The call path: check, find the specialisation, allocate, pack, launch.
#include <algorithm>
#include <cstdio>
#include <new>

#include "base/counters.h"
#include "dialect/cuda/generate_cuda_cpu.h"
#include "dialect/generator.h"
#include "kernel/argument_pack.h"
#include "kernel/call_checks.h"
#include "kernel/cast_kernel.h"
#include "kernel/kernel_state.h"
#include "kernel/settings.h"

namespace sprue {

namespace {

using Ready = std::shared_ptr<const ReadySpecialization>;

// Filled in place: no text is built to find a specialisation.
void append_key(SpecializationKey& key, const KernelCall& call) {
  for (const Array& input : call.inputs) append_input(key, input_traits(input));
  for (Dtype dtype : call.output_dtypes) append_output(key, dtype);
  for (const TemplateArgument& argument : call.template_arguments)
    append_template_argument(key, argument);
}

Status verify(KernelState& state, const ReadySpecialization& ready, const KernelCall& call) {
  SPRUE_ASSIGN(const std::string text, state.regenerate(specialization_of(call)));
  if (text.empty() || text == ready.source.text) return {};
  return fail(
      ErrorCode::internal, state.origin(),
      "expected the text of kernel '{}' to follow from its key, got another text for the same key",
      state.definition().name);
}

Result<Ready> resolve(KernelState& state, const KernelCall& call, Device& device) {
  const KernelSettings& settings = kernel_settings();
  auto make = [&] { return state.make(specialization_of(call), device, call.policy); };
  if (!settings.table.load(std::memory_order_relaxed)) return make();
  SpecializationKey key;
  append_key(key, call);
  const auto entry = state.table().find_or_add({key.data(), key.size()});
  if (Ready ready = entry->ready()) {
    if (settings.verify_keys.load(std::memory_order_relaxed))
      SPRUE_CHECK(verify(state, *ready, call));
    return ready;
  }
  auto outcome = entry->get_or_make(make);
  if (!outcome) state.table().remove_failed(*entry);
  return outcome;
}

Result<Arrays> allocate_outputs(const KernelCall& call, Device& device) {
  Arrays outputs;
  for (size_t i = 0; i < call.output_shapes.size(); ++i) {
    SPRUE_ASSIGN(Array output, device.allocate(call.output_shapes[i], call.output_dtypes[i]));
    if (output.size() > 0) {
      if (call.init_value)
        SPRUE_CHECK(device.fill(output, *call.init_value));
      else if (kernel_settings().poison_outputs.load(std::memory_order_relaxed))
        SPRUE_CHECK(device.poison(output));
    }
    outputs.push_back(std::move(output));
  }
  return outputs;
}

Arrays prepared_inputs(const KernelDefinition& definition, const KernelCall& call) {
  Arrays inputs = call.inputs;
  if (!definition.ensure_row_contiguous) return inputs;
  for (Array& input : inputs) {
    if (input.is_row_contiguous()) continue;
    input = input.contiguous();
    counters().copies.fetch_add(1, std::memory_order_relaxed);
  }
  return inputs;
}

// CUDA has no smaller blocks at the edge.
Size3 whole_blocks(const KernelCall& call) {
  auto rounded = [](int64_t grid, int64_t threadgroup) {
    const int64_t block = std::min(threadgroup, grid);
    return (grid + block - 1) / block * block;
  };
  return {rounded(call.grid.x, call.threadgroup.x), rounded(call.grid.y, call.threadgroup.y),
          rounded(call.grid.z, call.threadgroup.z)};
}

Result<Arrays> run(KernelState& state, const KernelCall& call, Device& device) {
  const KernelDefinition& definition = state.definition();
  SPRUE_CHECK(check_call(definition, call, device, state.origin()));
  if (!definition.mutable_inputs.empty())
    SPRUE_CHECK(check_mutable_inputs(definition, call, state.origin()));
  if (call.verbose) {
    SPRUE_ASSIGN(const GeneratedSource source,
                 definition.dialect == Dialect::cuda
                     ? generate_mlx_cuda(definition, specialization_of(call))
                     : generate_metal(definition, specialization_of(call)));
    std::printf("Generated source code for `%s`:\n```\n%s\n```\n", definition.name.c_str(),
                source.text.c_str());
  }
  SPRUE_ASSIGN(const Ready ready, resolve(state, call, device));
  if (definition.dialect == Dialect::cuda)
    SPRUE_CHECK(check_cuda_ndim(definition, ready->binary.signature, call, state.origin()));
  const Arrays inputs = prepared_inputs(definition, call);
  SPRUE_ASSIGN(Arrays outputs, allocate_outputs(call, device));

  ArgumentPack pack;
  SPRUE_CHECK(pack.fill(ready->binary.signature, {inputs.data(), inputs.size()},
                        {outputs.data(), outputs.size()}, definition.name, state.origin()));
  Launch launch;
  launch.pipeline = ready->pipeline;
  launch.arguments = pack.arguments();
  launch.argument_count = pack.count();
  launch.grid = definition.dialect == Dialect::cuda ? whole_blocks(call) : call.grid;
  launch.threadgroup = call.threadgroup;
  launch.kernel_name = &definition.name;
  launch.inputs = {inputs.data(), inputs.size()};
  launch.outputs = {outputs.data(), outputs.size()};
  SPRUE_CHECK(device.submit(launch));
  return outputs;
}

}  // namespace

Arrays Kernel::operator()(const KernelCall& call) const {
  try {
    return value_or_throw(run(*state_, call, cpu_device()));
  } catch (const std::bad_alloc&) {
    throw Error(
        ErrorCode::unavailable,
        fmt::format(
            "[{}] expected memory for a call of kernel '{}', got none; ask for smaller outputs",
            state_->origin(), name()));
  }
}

const std::string& Kernel::name() const { return state_->definition().name; }

}  // namespace sprue
