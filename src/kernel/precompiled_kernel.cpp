// Kernels whose specialisations come from a casting. No compiler is asked for, none has to be there.
#include "base/log.h"
#include "casting/casting.h"
#include "kernel/kernel_state.h"
#include "kernel/nearest_specialization.h"
#include "sprue/casting.h"

namespace sprue {

namespace {

constexpr char kMetalOrigin[] = "precompiled_metal_kernel";
constexpr char kCudaOrigin[] = "precompiled_cuda_kernel";

// Which of two targets that run here is the better one: a later level has wider vectors.
bool is_better(const Target& a, const Target& b) { return a.architecture > b.architecture; }

// What keeps an entry from being taken: "math (fast for safe)" is an entry's fast where safe is wanted.
std::vector<std::string> differences(const CastingRecord& record,
                                     const KernelDefinition& definition,
                                     Optimization optimization) {
  std::vector<std::string> parts;
  auto compare = [&](std::string_view what, const auto& theirs, const auto& wanted) {
    if (theirs != wanted) parts.push_back(fmt::format("{} ({} for {})", what, theirs, wanted));
  };
  auto compare_names = [&](std::string_view what, const std::vector<std::string>& theirs,
                           const std::vector<std::string>& wanted) {
    compare(what, fmt::format("[{}]", fmt::join(theirs, ", ")),
            fmt::format("[{}]", fmt::join(wanted, ", ")));
  };
  compare("dialect", dialect_name(record.dialect), dialect_name(definition.dialect));
  compare_names("inputs", record.input_names, definition.input_names);
  compare_names("outputs", record.output_names, definition.output_names);
  compare_names("mutable_inputs", record.mutable_inputs, definition.mutable_inputs);
  compare("ensure_row_contiguous", record.ensure_row_contiguous, definition.ensure_row_contiguous);
  compare("atomic_outputs", record.atomic_outputs, definition.atomic_outputs);
  compare("math", math_mode_name(record.math), math_mode_name(definition.math));
  compare("opt", optimization_name(record.optimization), optimization_name(optimization));
  return parts;
}

class PrecompiledKernelState : public KernelState {
 public:
  PrecompiledKernelState(KernelDefinition definition, std::string_view origin,
                         std::shared_ptr<const Casting> casting, std::vector<size_t> entries)
      : KernelState(std::move(definition), std::string(origin),
                    casting->record(entries.front()).optimization),
        casting_(std::move(casting)),
        entries_(std::move(entries)) {}

  Result<std::shared_ptr<const ReadySpecialization>> make(const Specialization& specialization,
                                                          Device& device, CompilePolicy) override {
    SPRUE_ASSIGN(const size_t entry, find(specialization, device));
    auto ready = std::make_shared<ReadySpecialization>();
    ready->binary = casting_->binary(entry);
    ready->source.text = casting_->generated_text(entry);
    ready->source.entry_name = ready->binary.entry_name;
    ready->source.signature = ready->binary.signature;
    ready->source.digest = digest_bytes(ready->source.text);
    SPRUE_ASSIGN(ready->pipeline, device.load(ready->binary));
    return ready;
  }

  // Without a source there is nothing to generate from; the casting's own digests vouch for the text.
  Result<std::string> regenerate(const Specialization&) override { return std::string(); }

 private:
  Result<size_t> find(const Specialization& specialization, const Device& device) const {
    const SpecializationKey key = specialization.key();
    std::optional<size_t> best;
    Status refusal;  // why the last entry with this key doesn't run here
    for (const size_t i : entries_) {
      const CastingRecord& record = casting_->record(i);
      if (record.key != key) continue;
      if (Status runs = device.accepts(record.target); !runs)
        refusal = std::move(runs);
      else if (!best || is_better(record.target, casting_->record(*best).target))
        best = i;
    }
    if (best) {
      log_info(origin(), "kernel '{}' runs its entry for {}", definition().name,
               casting_->record(*best).target.name());
      return *best;
    }
    if (!refusal) return tl::unexpected(std::move(refusal).error());
    for (const size_t i : casting_->entries_named(definition().name)) {
      const CastingRecord& record = casting_->record(i);
      if (record.key == key && record.optimization != optimization() &&
          differences(record, definition(), record.optimization).empty())
        return fail(ErrorCode::not_found, origin(),
                    "expected {} to hold kernel '{}' for {} at optimisation '{}', got it at '{}' "
                    "only; ask for that, or cast both",
                    casting_->name(), definition().name, specialization.describe(definition()),
                    optimization_name(optimization()), optimization_name(record.optimization));
    }
    std::vector<Specialization> known;
    for (const size_t i : entries_) {
      const SpecializationKey& bytes = casting_->record(i).key;
      if (auto parsed = Specialization::from_key(definition(), {bytes.data(), bytes.size()}))
        known.push_back(std::move(*parsed));
    }
    return fail(ErrorCode::not_found, origin(),
                "expected {} to hold kernel '{}' for {}, got none; {}", casting_->name(),
                definition().name, specialization.describe(definition()),
                describe_nearest(definition(), specialization, known));
  }

  const std::shared_ptr<const Casting> casting_;
  const std::vector<size_t> entries_;  // of this kernel
};

Result<std::vector<size_t>> matching_entries(const Casting& casting,
                                             const KernelDefinition& definition,
                                             const PrecompiledOptions& options,
                                             std::string_view origin) {
  const std::vector<size_t> named = casting.entries_named(definition.name);
  if (named.empty())
    return fail(ErrorCode::not_found, origin,
                "expected {} to hold kernel '{}', got no entry of that name", casting.name(),
                definition.name);
  std::vector<size_t> matching, other_source;
  std::vector<std::string> fewest;  // differences of the nearest entry
  for (const size_t i : named) {
    const CastingRecord& record = casting.record(i);
    auto parts = differences(record, definition, options.optimization);
    if (!parts.empty()) {
      if (fewest.empty() || parts.size() < fewest.size()) fewest = std::move(parts);
      continue;
    }
    const bool same_source =
        options.source.empty() || record.definition_digest == definition.digest();
    (same_source ? matching : other_source).push_back(i);
  }
  if (matching.empty() && options.allow_stale) matching = other_source;
  if (matching.empty() && !other_source.empty())
    return fail(
        ErrorCode::not_found, origin,
        "expected {} to hold kernel '{}' made from the source given (digest {}), got one made from "
        "another (digest {}); cast it again, or allow a stale one",
        casting.name(), definition.name, definition.digest().hex(),
        casting.record(other_source.front()).definition_digest.hex());
  if (matching.empty())
    return fail(
        ErrorCode::not_found, origin,
        "expected {} to hold kernel '{}' with the names, flags, math mode and optimisation given, "
        "got entries of which the nearest differs in {}; change what is asked for, or cast it "
        "again",
        casting.name(), definition.name, fmt::join(fewest, ", "));
  for (const size_t i : matching)
    if (casting.record(i).definition_digest != casting.record(matching.front()).definition_digest)
      return fail(
          ErrorCode::invalid_argument, origin,
          "expected one source under the name '{}' in {}, got at least two; give the source to "
          "choose one",
          definition.name, casting.name());
  return matching;
}

Result<Kernel> open_precompiled(const PrecompiledOptions& options, std::string_view origin,
                                Dialect dialect) {
  SPRUE_ASSIGN(KernelDefinition definition,
               make_definition({.name = options.name,
                                .input_names = options.input_names,
                                .output_names = options.output_names,
                                .source = options.source,
                                .header = options.header,
                                .ensure_row_contiguous = options.ensure_row_contiguous,
                                .atomic_outputs = options.atomic_outputs,
                                .mutable_inputs = options.mutable_inputs,
                                .shared_memory = options.shared_memory,
                                .math = options.math,
                                .include_dirs = options.include_dirs},
                               origin, dialect));
  SPRUE_ASSIGN(auto casting, Casting::open(options.casting_path));
  SPRUE_ASSIGN(auto entries, matching_entries(*casting, definition, options, origin));
  return Kernel(std::make_shared<PrecompiledKernelState>(std::move(definition), origin,
                                                         std::move(casting), std::move(entries)));
}

}  // namespace

Kernel precompiled_metal_kernel(const PrecompiledOptions& options) {
  return value_or_throw(open_precompiled(options, kMetalOrigin, Dialect::metal));
}

Kernel precompiled_cuda_kernel(const PrecompiledOptions& options) {
  return value_or_throw(open_precompiled(options, kCudaOrigin, Dialect::cuda));
}

}  // namespace sprue
