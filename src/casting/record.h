// What a casting knows of one specialisation without its code: enough to match a call, to describe
// the entry, and to load its binary. Plain data.
#pragma once

#include <string>
#include <vector>

#include "base/hash.h"
#include "program/binary.h"
#include "program/definition.h"
#include "program/specialization.h"

namespace sprue {

struct CastingRecord {
  // Of the definition: its digest, and what a call without a source is matched and bound by.
  std::string kernel_name;
  Digest definition_digest;
  Dialect dialect = Dialect::metal;
  MathMode math = MathMode::safe;
  bool ensure_row_contiguous = true;
  bool atomic_outputs = false;
  std::vector<std::string> input_names;
  std::vector<std::string> output_names;
  std::vector<std::string> mutable_inputs;

  SpecializationKey key;
  Optimization optimization = Optimization::standard;
  Target target;
  std::string options;  // of the compile, one line
  Digest options_digest;
  std::string compiler;  // identity of the compiler: "clang 19.1.7"
  std::string entry_name;
  Signature signature;
  Digest binary_digest;

  bool operator==(const CastingRecord&) const = default;
};

// The part of an entry's identity that the options make: a caller without a compiler computes it
// from CompileRequest::options().
inline Digest casting_options_digest(std::string_view options) {
  return Hasher().field("options", options).digest();
}

// Order of records in a file; equal means: the same specialisation, target and options.
std::weak_ordering compare_identity(const CastingRecord& a, const CastingRecord& b);

// A record that contradicts itself is an error: a mutable input that is no input, a parameter of an
// input that isn't there, options that don't have their digest, more parameters than a launch
// takes. Whether the key's bytes are a key is left to Specialization::from_key: they are compared,
// not read.
Status check_record(const CastingRecord& record);

class ByteWriter;
class ByteReader;
void write_record(ByteWriter& writer, const CastingRecord& record);
// Leaves the reader bad if the bytes are no record.
CastingRecord read_record(ByteReader& reader);

}  // namespace sprue
