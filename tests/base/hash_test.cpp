#include "base/hash.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace sprue {
namespace {

Digest of(const std::vector<std::pair<std::string, std::string>>& fields) {
  Hasher hasher;
  for (const auto& [label, value] : fields) hasher.field(label, std::string_view(value));
  return hasher.digest();
}

// Values published with xxHash's own test-suite (XXH3_128bits, seed 0).
TEST(Hash, KnownValues) {
  EXPECT_EQ(digest_bytes("").hex(), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(digest_bytes("a").hex(), "a96faf705af16834e6c632b61e964e1f");
  EXPECT_EQ(digest_bytes("abc").hex(), "06b05ab6733a618578af5f94892f3950");
}

// All ways to cut one run of bytes into labels and values are different sequences of fields.
TEST(Hash, FieldsAreLengthPrefixed) {
  EXPECT_NE(of({{"ab", "c"}}), of({{"a", "bc"}}));
  EXPECT_NE(of({{"a", "b"}, {"c", "d"}}), of({{"a", "bc"}, {"", "d"}}));
  const std::string text = "aabbaabb";
  std::set<Digest> digests;
  size_t count = 0;
  for (size_t first = 0; first <= text.size(); ++first)
    for (size_t second = first; second <= text.size(); ++second)
      for (size_t third = second; third <= text.size(); ++third, ++count)
        digests.insert(of({{text.substr(0, first), text.substr(first, second - first)},
                           {text.substr(second, third - second), text.substr(third)}}));
  EXPECT_EQ(digests.size(), count);
  EXPECT_NE(of({}), of({{"", ""}}));
  EXPECT_NE(of({{"", ""}}), of({{"", ""}, {"", ""}}));
}

TEST(Hash, KindsOfFieldsAndOrderMatter) {
  EXPECT_NE(of({{"a", "1"}, {"b", "2"}}), of({{"b", "2"}, {"a", "1"}}));
  EXPECT_EQ(Hasher().field("n", uint64_t{7}).digest(), Hasher().field("n", uint64_t{7}).digest());
  EXPECT_NE(Hasher().field("n", uint64_t{7}).digest(), Hasher().field("n", uint64_t{8}).digest());
  EXPECT_NE(Hasher().field("d", Digest{1, 2}).digest(), Hasher().field("d", Digest{2, 1}).digest());
}

TEST(Hash, BytesInPartsEqualBytesAtOnce) {
  std::string text(100000, '\0');
  for (size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * 7 + i / 256);
  for (size_t part : {1u, 63u, 64u, 1000u}) {
    Hasher hasher;
    for (size_t i = 0; i < text.size(); i += part) {
      const std::string piece = text.substr(i, part);
      hasher.bytes(piece.data(), piece.size());
    }
    EXPECT_EQ(hasher.digest(), digest_bytes(text));
  }
}

TEST(Hash, HexRoundTrip) {
  for (uint64_t i = 0; i < 64; ++i) {
    const Digest digest{uint64_t{1} << i, ~(uint64_t{1} << (63 - i))};
    EXPECT_EQ(digest.hex().size(), 32u);
    EXPECT_EQ(Digest::from_hex(digest.hex()).value(), digest);
  }
  EXPECT_EQ((Digest{1, 0xabc}.hex()), "00000000000000010000000000000abc");
}

TEST(Hash, BadHexIsRefused) {
  const std::string good(32, 'a');
  for (const std::string& text :
       {std::string(), good.substr(1), good + "a", std::string(32, 'A'), std::string(31, 'a') + "g",
        std::string(31, 'a') + " ", std::string(32, '\0'), std::string("+").append(good, 1)}) {
    const auto digest = Digest::from_hex(text);
    ASSERT_FALSE(digest) << text;
    EXPECT_EQ(digest.error().code(), ErrorCode::invalid_argument);
  }
}

}  // namespace
}  // namespace sprue
