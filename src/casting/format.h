// The file format of castings, for the writer and the reader alone.
//
// All numbers are little-endian; no field is aligned but for the sections. One content has one
// file: records are sorted, sections stand in the order of their records, and nothing is left to
// choose, so equal entries give equal bytes, and a reader can refuse whatever else is in a file.
//
//   <casting>   ::= <header> <records> <section>*
//   <header>    ::= magic(8)="SPRUECST" format_version(u32) cpu_abi_version(u32) file_size(u64)
//                   record_count(u64) records_size(u64) digest-of-records digest-of-header
//   <records>   ::= <record>*       strictly ascending by (kernel name, definition digest, key,
//                                   target, options digest)
//   <record>    ::= kernel_name(str) definition_digest dialect(u8) math(u8) optimization(u8)
//                   flags(u8: 1 ensure_row_contiguous, 2 atomic_outputs)
//                   input_names(strs) output_names(strs) mutable_inputs(strs) key(str)
//                   target_kind(u8) architecture(str) features(str)
//                   options(str) options_digest compiler(str) entry_name(str) <signature>
//                   binary_size(u64) binary_digest text_size(u64) text_digest
//   <signature> ::= attributes(u32) count(u32) <parameter>*
//   <parameter> ::= kind(u8) dtype(u8) flags(u8: 1 scalar, 2 constant, 4 mutable, 8 atomic)
//                   index(u32) name(str)
//   <section>   ::= zero bytes up to a multiple of 64 in the file, then the bytes;
//                   for each record its binary, then its generated text; the last one ends the file
//   (str)       ::= size(u32) bytes              (strs) ::= count(u32) (str)*
//   digest      ::= low(u64) high(u64)           XXH3-128; the header's covers all in front of it
//
// Every byte is covered: header and records and sections by digests, the bytes between by being
// zero. The digests are for damage, not for malice: a casting holds machine code and is trusted as
// such.
//
// Versions
//   1  first
// A change of what these bytes mean is a new version, with a line here and a golden file in
// tests/data/casting. cpu_abi_version is SPRUE_CPU_ABI_VERSION of program/cpu_abi.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sprue::casting_format {

inline constexpr std::string_view kMagic = "SPRUECST";
inline constexpr uint32_t kVersion = 1;
inline constexpr size_t kDigestSize = 16;
// Where the header's parts begin, in bytes.
inline constexpr size_t kVersionOffset = 8;
inline constexpr size_t kFileSizeOffset = 16;
inline constexpr size_t kHeaderDigestOffset = 56;
inline constexpr size_t kHeaderSize = kHeaderDigestOffset + kDigestSize;
inline constexpr size_t kSectionAlignment = 64;

inline constexpr uint8_t kEnsureRowContiguous = 1;
inline constexpr uint8_t kAtomicOutputs = 2;
inline constexpr uint8_t kScalar = 1;
inline constexpr uint8_t kConstant = 2;
inline constexpr uint8_t kMutable = 4;
inline constexpr uint8_t kAtomic = 8;

}  // namespace sprue::casting_format
