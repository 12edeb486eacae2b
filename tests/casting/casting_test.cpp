#include "casting/casting.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "casting/byte_stream.h"
#include "casting/format.h"
#include "casting/golden_entries.h"
#include "program/cpu_abi.h"

namespace sprue {
namespace {

using namespace casting_format;

const std::string kGoldenPath = SPRUE_TEST_DATA "/casting/v1.casting";

std::string golden_bytes() { return write_casting(golden_entries()).value(); }

std::string message_of(const std::string& bytes) {
  const auto casting = Casting::from_bytes(bytes, "some.casting");
  if (casting) return "";
  EXPECT_TRUE(casting.error().message().starts_with("[casting] expected "));
  EXPECT_NE(casting.error().message().find("'some.casting'"), std::string::npos)
      << casting.error().message();
  return casting.error().message();
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

TEST(Casting, RoundTrip) {
  const auto casting = Casting::from_bytes(golden_bytes(), "g").value();
  ASSERT_EQ(casting->size(), 4u);
  std::vector<CastingEntry> entries;
  for (size_t i = 0; i < casting->size(); ++i) entries.push_back(casting->entry(i));
  for (const CastingEntry& entry : golden_entries())
    EXPECT_EQ(std::count(entries.begin(), entries.end(), entry), 1) << entry.record.kernel_name;
  EXPECT_EQ(write_casting(entries).value(), golden_bytes());
}

TEST(Casting, FileIsMappedAndReadAlike) {
  const std::string path = testing::TempDir() + fmt::format("sprue-{}.casting", getpid());
  ASSERT_TRUE(write_file_atomically(path, golden_bytes()));
  const auto casting = Casting::open(path).value();
  EXPECT_EQ(casting->name(), path);
  // The map outlives the file's name.
  std::filesystem::remove(path);
  EXPECT_EQ(casting->size(), 4u);
  EXPECT_EQ(casting->generated_text(0), "text of add\n");
  const auto missing = Casting::open(path);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), ErrorCode::not_found);
}

TEST(Casting, BinaryIsReadyToLoad) {
  const auto casting = Casting::from_bytes(golden_bytes(), "g").value();
  const CastingEntry expected = golden_entries()[2];
  const auto i = casting->find(expected.record.definition_digest, expected.record.key);
  ASSERT_TRUE(i);
  const Binary binary = casting->binary(*i);
  EXPECT_EQ(binary.bytes, expected.binary_bytes);
  EXPECT_EQ(binary.target, expected.record.target);
  EXPECT_EQ(binary.signature, expected.record.signature);
  EXPECT_EQ(binary.entry_name, expected.record.entry_name);
  EXPECT_EQ(binary.options, expected.record.options);
  EXPECT_EQ(binary.compiler, expected.record.compiler);
  EXPECT_EQ(binary.digest, digest_bytes(expected.binary_bytes));
}

TEST(Casting, EntryOfADefinition) {
  KernelDefinition definition;
  definition.name = "scale";
  definition.input_names = {"x"};
  definition.output_names = {"y"};
  definition.source = "y[0] = x[0];";
  definition.math = MathMode::fast;
  Binary binary;
  binary.bytes = "code";
  binary.options = "options";
  binary.compiler = "a compiler";
  binary.entry_name = "entry";
  binary.signature.parameters = {{ParameterKind::output, "y", 0, float32}};
  const uint8_t key[] = {1, 2, 3};
  const auto entry = make_casting_entry(definition, key, Optimization::standard, binary, "text");
  const auto casting = Casting::from_bytes(write_casting({entry}).value(), "g").value();
  EXPECT_EQ(casting->entry(0), entry);
  EXPECT_EQ(casting->record(0).definition_digest, definition.digest());
  EXPECT_EQ(casting->record(0).math, MathMode::fast);
  EXPECT_EQ(casting->record(0).options_digest, casting_options_digest("options"));
  EXPECT_EQ(casting->binary(0).bytes, "code");
}

TEST(Casting, FindComparesInFull) {
  const auto casting = Casting::from_bytes(golden_bytes(), "g").value();
  std::set<size_t> found;
  for (const CastingEntry& entry : golden_entries()) {
    const CastingRecord& record = entry.record;
    const auto i = casting->find(record.definition_digest, record.key);
    ASSERT_TRUE(i);
    found.insert(*i);
    EXPECT_EQ(casting->record(*i), record);
    EXPECT_FALSE(casting->find(record.definition_digest, record.key,
                               [](const CastingRecord&) { return false; }));
    SpecializationKey longer = record.key, shorter = record.key;
    longer.push_back(0);
    shorter.pop_back();
    EXPECT_FALSE(casting->find(record.definition_digest, longer));
    EXPECT_FALSE(casting->find(record.definition_digest, shorter));
    EXPECT_FALSE(casting->find({0, record.definition_digest.low}, record.key));
  }
  EXPECT_EQ(found.size(), 4u);
  EXPECT_EQ(casting->entries_named("scale").size(), 3u);
  EXPECT_EQ(casting->entries_named("add"), std::vector<size_t>{0});
  EXPECT_TRUE(casting->entries_named("sca").empty());
}

TEST(Casting, OneSpecialisationForSeveralTargetsAndOptions) {
  CastingEntry v3 = golden_entries()[0], v4 = v3, fast = v3;
  v4.record.target.architecture = "x86-64-v4";
  fast.record.options += " more";
  fast.record.options_digest = casting_options_digest(fast.record.options);
  const auto casting = Casting::from_bytes(write_casting({v4, fast, v3}).value(), "g").value();
  EXPECT_EQ(casting->size(), 3u);
  const auto i = casting->find(v4.record.definition_digest, v4.record.key, [](const auto& record) {
    return record.target.architecture == "x86-64-v4";
  });
  ASSERT_TRUE(i);
  EXPECT_EQ(casting->record(*i), v4.record);
}

TEST(Casting, EqualEntriesGiveEqualBytes) {
  std::vector<CastingEntry> entries = golden_entries();
  const std::string bytes = golden_bytes();
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.binary_bytes < b.binary_bytes; });
  do {
    ASSERT_EQ(write_casting(entries).value(), bytes);
  } while (std::next_permutation(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return a.binary_bytes < b.binary_bytes;
  }));
  entries.push_back(entries.front());
  EXPECT_EQ(write_casting(entries).value(), bytes);
}

TEST(Casting, NoEntries) {
  const auto casting = Casting::from_bytes(write_casting({}).value(), "g").value();
  EXPECT_EQ(casting->size(), 0u);
  EXPECT_FALSE(casting->find({}, {}));
}

// A change of the format that keeps its version would make old files unreadable.
TEST(Casting, GoldenFileOfVersion1) {
  if (std::getenv("SPRUE_WRITE_GOLDEN"))
    std::ofstream(kGoldenPath, std::ios::binary) << golden_bytes();
  EXPECT_EQ(read_file(kGoldenPath).value(), golden_bytes());
  const auto casting = Casting::open(kGoldenPath).value();
  EXPECT_EQ(casting->size(), golden_entries().size());
}

TEST(Casting, EveryFlippedByteIsRefused) {
  const std::string bytes = golden_bytes();
  for (size_t i = 0; i < bytes.size(); ++i)
    for (int flip : {0x01, 0x80, 0xff}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      ASSERT_NE(message_of(damaged), "") << "byte " << i << " xor " << flip;
    }
}

TEST(Casting, EveryOtherLengthIsRefused) {
  const std::string bytes = golden_bytes();
  for (size_t size = 0; size < bytes.size(); ++size)
    ASSERT_NE(message_of(bytes.substr(0, size)), "") << size;
  for (size_t more : {1, 63, 64, 1000}) {
    EXPECT_TRUE(has(message_of(bytes + std::string(more, '\0')), "appended"));
    EXPECT_TRUE(has(message_of(bytes + bytes.substr(0, more)), "appended"));
  }
  EXPECT_TRUE(has(message_of(bytes.substr(0, bytes.size() - 1)), "cut short"));
}

// Lies with true digests: what a faulty or hostile writer could make.
class Forgery {
 public:
  Forgery() {
    for (const CastingEntry& entry : golden_entries()) add(entry);
  }
  explicit Forgery(const CastingEntry& entry) { add(entry); }

  std::string bytes() const {
    ByteWriter file;
    file.raw(kMagic);
    file.integer(version);
    file.integer(abi);
    size_t size = kHeaderSize + records.size();
    for (const auto& section : sections) size = (size + 63) / 64 * 64 + section.size();
    file.integer(uint64_t{file_size ? file_size : size});
    file.integer(record_count);
    file.integer(records_size ? records_size : uint64_t{records.size()});
    file.digest(digest_bytes(records));
    file.digest(digest_bytes(file.bytes()));
    file.raw(records);
    for (const auto& section : sections) {
      file.align(kSectionAlignment);
      file.raw(section);
    }
    return file.bytes() + tail;
  }

  uint32_t version = kVersion, abi = SPRUE_CPU_ABI_VERSION;
  uint64_t file_size = 0, records_size = 0, record_count = 0;
  std::string records, tail;
  std::vector<std::string> sections;

 private:
  void add(const CastingEntry& entry) {
    ByteWriter writer;
    write_record(writer, entry.record);
    for (const std::string& section : {entry.binary_bytes, entry.generated_text}) {
      writer.integer(uint64_t{section.size()});
      writer.digest(digest_bytes(section));
      sections.push_back(section);
    }
    records += writer.bytes();
    ++record_count;
  }
};

TEST(Casting, ForgeryOfTheTruthIsTheTruth) {
  const CastingEntry entry = golden_entries()[0];
  EXPECT_EQ(Forgery(entry).bytes(), write_casting({entry}).value());
}

TEST(Casting, OtherVersionsAreNamed) {
  for (uint32_t version : {0u, 77u, UINT32_MAX}) {
    Forgery forgery(golden_entries()[0]);
    forgery.version = version;
    EXPECT_TRUE(has(message_of(forgery.bytes()), fmt::format("got version {};", version)));
    forgery.version = kVersion;
    forgery.abi = version;
    EXPECT_TRUE(has(message_of(forgery.bytes()), "ABI version"));
  }
}

TEST(Casting, LyingCountsAndSizesAreRefused) {
  for (uint64_t lie : {uint64_t{0}, uint64_t{2}, uint64_t{1000}, uint64_t{1} << 32,
                       uint64_t{1} << 57, UINT64_MAX}) {
    Forgery forgery(golden_entries()[0]);
    forgery.record_count = lie;
    EXPECT_NE(message_of(forgery.bytes()), "") << lie;
  }
  const std::string truth = Forgery(golden_entries()[0]).bytes();
  for (uint64_t lie : {uint64_t{1}, uint64_t{truth.size()}, truth.size() - kHeaderSize, UINT64_MAX,
                       UINT64_MAX - kHeaderSize}) {
    Forgery forgery(golden_entries()[0]);
    forgery.records_size = lie;
    EXPECT_NE(message_of(forgery.bytes()), "") << lie;
    forgery.records_size = 0;
    forgery.file_size = lie + (lie == truth.size());
    EXPECT_NE(message_of(forgery.bytes()), "") << lie;
  }
  // The last 48 bytes of a record are sizes and digests of its two sections.
  for (size_t field : {48u, 24u})
    for (uint64_t lie : {uint64_t{0}, uint64_t{1}, uint64_t{100}, uint64_t{1} << 40,
                         UINT64_MAX - 63, UINT64_MAX}) {
      Forgery forgery(golden_entries()[0]);
      ByteWriter writer;
      writer.integer(lie);
      forgery.records.replace(forgery.records.size() - field, 8, writer.bytes());
      EXPECT_NE(message_of(forgery.bytes()), "") << lie;
    }
  // Every 32-bit word of the records, as a count or a length beyond all bounds.
  const Forgery original;
  for (size_t i = 0; i + 4 <= original.records.size(); ++i) {
    Forgery forgery;
    forgery.records.replace(i, 4, "\xff\xff\xff\xff");
    (void)Casting::from_bytes(forgery.bytes(), "f");  // an error or not, never a crash
  }
}

TEST(Casting, RecordsMustEndWhereTheyEnd) {
  Forgery longer(golden_entries()[0]);
  longer.records += std::string(8, '\0');
  EXPECT_NE(message_of(longer.bytes()), "");
  Forgery tail(golden_entries()[0]);
  tail.tail = "x";
  tail.file_size = tail.bytes().size();
  EXPECT_TRUE(has(message_of(tail.bytes()), "1 bytes more"));
}

TEST(Casting, UnsortedOrDoubledRecordsAreRefused) {
  Forgery unsorted;  // golden_entries() are in no order
  EXPECT_TRUE(has(message_of(unsorted.bytes()), "out of order"));
  Forgery doubled(golden_entries()[0]);
  doubled.records += doubled.records;
  doubled.record_count = 2;
  doubled.sections.insert(doubled.sections.end(), {doubled.sections[0], doubled.sections[1]});
  EXPECT_TRUE(has(message_of(doubled.bytes()), "out of order"));
}

// What the reader refuses, the writer doesn't write.
TEST(Casting, RecordsThatContradictThemselvesAreRefused) {
  using Break = void (*)(CastingRecord&);
  const Break breaks[] = {
      [](CastingRecord& record) { record.kernel_name = ""; },
      [](CastingRecord& record) { record.output_names.clear(); },
      [](CastingRecord& record) { record.mutable_inputs = {"y"}; },
      [](CastingRecord& record) { record.options += " "; },
      [](CastingRecord& record) { record.signature.attributes |= 1u << kAttributeCount; },
      [](CastingRecord& record) { record.signature.parameters[0].index = 2; },
      [](CastingRecord& record) { record.signature.parameters[5].index = 1; },
      [](CastingRecord& record) {
        record.signature.parameters.resize(32, record.signature.parameters[0]);
      },
  };
  for (const Break& change : breaks) {
    CastingEntry entry = golden_entries()[0];
    EXPECT_EQ(message_of(Forgery(entry).bytes()), "");
    change(entry.record);
    const auto casting = Casting::from_bytes(Forgery(entry).bytes(), "f");
    ASSERT_FALSE(casting);
    EXPECT_EQ(casting.error().code(), ErrorCode::corrupt);
    EXPECT_FALSE(write_casting({entry}));
  }
  CastingEntry other = golden_entries()[0];
  other.binary_bytes += "x";
  EXPECT_FALSE(write_casting({other}));
}

TEST(Casting, UnknownEnumerationValuesAreRefused) {
  using Break = void (*)(CastingRecord&);
  const Break breaks[] = {
      [](CastingRecord& record) { record.dialect = static_cast<Dialect>(200); },
      [](CastingRecord& record) { record.math = static_cast<MathMode>(3); },
      [](CastingRecord& record) { record.optimization = static_cast<Optimization>(9); },
      [](CastingRecord& record) { record.target.kind = static_cast<TargetKind>(7); },
      [](CastingRecord& record) {
        record.signature.parameters[0].kind = static_cast<ParameterKind>(5);
      },
      [](CastingRecord& record) {
        record.signature.parameters[0].dtype = static_cast<Dtype>(kDtypeCount);
      },
  };
  for (const Break& change : breaks) {
    CastingEntry entry = golden_entries()[0];
    change(entry.record);
    EXPECT_NE(message_of(Forgery(entry).bytes()), "");
  }
}

TEST(Casting, TwoContentsForOneIdentityAreRefused) {
  CastingEntry one = golden_entries()[0], two = one;
  two.generated_text += "// other\n";
  const auto bytes = write_casting({one, two});
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code(), ErrorCode::invalid_argument);
  EXPECT_TRUE(has(bytes.error().message(), "'scale'"));
}

TEST(Casting, ForeignFilesAreRecognised) {
  const std::pair<std::string, std::string> files[] = {
      {std::string("MTLB\1\x80\2\0", 8), "Metal library (.metallib)"},
      {"\x7f"
       "ELF\2\1\1",
       "ELF file"},
      {"//\n// Generated by NVIDIA NVVM Compiler\n//\n\n.version 8.4\n.target sm_90\n", "PTX"},
      {".version 7.0\n", "PTX"},
      {"\x50\xed\x55\xba\1", "fat binary"},
      {"", "empty file"},
      {"name = \"scale\"\n", "another kind"},
      {"//", "another kind"},
      {"SPRUECS", "another kind"},
  };
  for (const auto& [bytes, kind] : files) {
    const std::string message = message_of(bytes);
    EXPECT_TRUE(has(message, kind)) << message;
    EXPECT_TRUE(has(message, "sprue cast")) << message;
  }
}

}  // namespace
}  // namespace sprue
