#include "kernel/cast_kernel.h"

#include <set>

#include "base/thread_pool.h"
#include "dialect/generator.h"
#include "kernel/compile_kernel.h"

namespace sprue {

Specialization specialization_of(const KernelCall& call) {
  Specialization specialization;
  for (const Array& input : call.inputs) specialization.inputs.push_back(input_traits(input));
  specialization.outputs.assign(call.output_dtypes.begin(), call.output_dtypes.end());
  specialization.template_arguments = call.template_arguments;
  return specialization;
}

namespace {

Result<CastingEntry> cast_one(const KernelDefinition& definition,
                              const Specialization& specialization, const Target& target,
                              Optimization optimization) {
  SPRUE_ASSIGN(const GeneratedSource source, generate_for(target.kind, definition, specialization));
  SPRUE_ASSIGN(const Binary binary,
               compile_kernel(definition, specialization, source, target, optimization));
  const SpecializationKey key = specialization.key();
  return make_casting_entry(definition, {key.data(), key.size()}, optimization, binary,
                            source.text);
}

}  // namespace

Result<std::vector<CastingEntry>> cast_kernel(const KernelDefinition& definition,
                                              std::span<const Specialization> specializations,
                                              std::span<const Target> targets,
                                              std::span<const Optimization> optimizations) {
  struct Work {
    const Specialization* specialization;
    const Target* target;
    Optimization optimization;
    Result<CastingEntry> entry = CastingEntry{};
  };
  std::vector<Work> work;
  std::set<std::vector<uint8_t>> seen;
  for (const Specialization& specialization : specializations) {
    const SpecializationKey key = specialization.key();
    if (!seen.insert(std::vector<uint8_t>(key.begin(), key.end())).second) continue;
    for (const Target& target : targets)
      for (Optimization optimization : optimizations)
        work.push_back({&specialization, &target, optimization});
  }
  parallel_for(static_cast<int64_t>(work.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      Work& item = work[static_cast<size_t>(i)];
      item.entry = cast_one(definition, *item.specialization, *item.target, item.optimization);
    }
  });
  std::vector<CastingEntry> entries;
  for (Work& item : work) {
    SPRUE_ASSIGN(CastingEntry entry, std::move(item.entry));
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace sprue
