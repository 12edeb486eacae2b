// A casting: kernels compiled ahead of time, in one file that is loaded without any compiler.
//
//   std::vector<CastingEntry> entries;
//   entries.push_back(make_casting_entry(definition, key, optimization, binary, source.text));
//   SPRUE_ASSIGN(const std::string bytes, write_casting(std::move(entries)));
//   SPRUE_CHECK(write_file_atomically("scale.casting", bytes));
//
//   SPRUE_ASSIGN(auto casting, Casting::open("scale.casting"));
//   auto i = casting->find(definition.digest(), key, [&](const CastingRecord& record) {
//     return device.accepts(record.target).has_value(); });
//   if (i) device.load(casting->binary(*i));
//
// Equal entries give equal bytes, in whatever order they come. Two definitions under one kernel
// name may stand in one file: who asks by name decides. Not for signing: digests find damage, not
// malice.
//
// The reader checks the whole file before it gives out anything: a flipped bit, a cut, another
// version or another ABI is one clear error. The format is in casting/format.h.
//
// Thread-safety: a Casting is immutable and may be shared. Cost: open maps the file, hashes it once and
// copies the records; binaries and texts stay in the map until they are asked for.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/sys.h"
#include "casting/record.h"

namespace sprue {

struct CastingEntry {
  CastingRecord record;
  std::string binary_bytes;
  std::string generated_text;

  bool operator==(const CastingEntry&) const = default;
};

CastingEntry make_casting_entry(const KernelDefinition& definition, std::span<const uint8_t> key,
                                Optimization optimization, const Binary& binary,
                                std::string generated_text);

// The file's bytes. An entry that is there twice is kept once; two entries of one identity that
// differ, and an entry that contradicts itself, are errors.
Result<std::string> write_casting(std::vector<CastingEntry> entries);

class Casting {
 public:
  static Result<std::shared_ptr<const Casting>> open(const std::string& path);
  // `name` is the file's name in errors.
  static Result<std::shared_ptr<const Casting>> from_bytes(std::string bytes, std::string name);

  const std::string& name() const { return name_; }
  size_t size() const { return slots_.size(); }
  // i < size() in all that follow. Views live as long as the casting.
  const CastingRecord& record(size_t i) const { return slots_[i].record; }
  std::string_view binary_bytes(size_t i) const { return slots_[i].binary; }
  std::string_view generated_text(size_t i) const { return slots_[i].text; }
  Binary binary(size_t i) const;       // a copy, ready for Device::load
  CastingEntry entry(size_t i) const;  // a copy, ready for write_casting

  // The first entry of this definition and key that `accepts` agrees to: compared in full.
  using Accepts = std::function<bool(const CastingRecord&)>;
  std::optional<size_t> find(const Digest& definition, std::span<const uint8_t> key,
                             const Accepts& accepts = {}) const;
  // All entries under a kernel's name, in file order (one definition's entries stand together).
  std::vector<size_t> entries_named(std::string_view kernel_name) const;

 private:
  struct Slot {
    CastingRecord record;
    std::string_view binary;
    std::string_view text;
  };
  Status load(std::string_view bytes);

  std::string name_;
  MappedFile map_;
  std::string owned_;  // the bytes, where they didn't come from a file
  std::vector<Slot> slots_;
};

}  // namespace sprue
