// Reading a TOML document key by key, with one clear error at the first thing that is wrong.
//
//   SPRUE_ASSIGN(toml::table document, parse_toml(text, "exp.toml"));
//   TableReader reader(document, "exp.toml");
//   std::string name;
//   reader.require("name");
//   reader.text("name", name);
//   SPRUE_CHECK(reader.finish());  // the first error so far, else one for a key never asked for
//
// A reader is sticky: after an error, its getters do nothing and return false, so callers check
// once. Internal to kernel_file/: includes the whole of toml++.
#pragma once

#include <toml++/toml.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sprue {

// An error that begins with "[kernel_file] PATH:LINE: " and carries both in its details.
Error error_at(std::string_view path, int line, std::string_view text,
               ErrorCode code = ErrorCode::invalid_argument);

Result<toml::table> parse_toml(std::string_view text, const std::string& path);

inline int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }
// "a string", 3, "an array": what stands there, short enough for one line.
std::string describe(const toml::node& node);
// 'text' with control characters escaped and cut at 60 bytes.
std::string quoted(std::string_view text);

// "[origin] text" without the origin, for an error that gets a file and line in front.
std::string_view without_origin(std::string_view message);

class TableReader {
 public:
  TableReader(const toml::table& table, std::string_view path);

  // Each getter returns whether the key is there and right; `value` is untouched otherwise.
  bool text(std::string_view key, std::string& value);
  bool texts(std::string_view key, std::vector<std::string>& values);
  bool flag(std::string_view key, bool& value);
  bool number(std::string_view key, double& value);  // an integer or a float
  bool integer(std::string_view key, int64_t minimum, int64_t maximum, int64_t& value);
  bool integers(std::string_view key, int64_t minimum, int64_t maximum,
                std::vector<int64_t>& values);
  const toml::table* table(std::string_view key);
  const toml::array* array(std::string_view key);
  const toml::node* node(std::string_view key);  // any type

  bool has(std::string_view key) const { return table_.contains(key); }
  void require(std::string_view key);
  int line(std::string_view key) const;  // of the key's value; of the table if there is none
  int line() const;                      // where the table begins

  bool failed() const { return error_.has_value(); }
  void fail_at(int line, std::string_view text);
  Status finish();

 private:
  // The node if it has the type, else an error: "expected WHAT for 'KEY', got ...".
  template <typename T>
  const T* typed(std::string_view key, std::string_view what);
  void expected(std::string_view key, std::string_view what, const toml::node& got);

  const toml::table& table_;
  std::string_view path_;
  std::vector<std::string> known_;
  std::optional<Error> error_;
};

// The keys of a table in the order in which they stand in the file.
struct TableEntry {
  std::string name;
  const toml::node* node;
  int line;  // of the key
};
std::vector<TableEntry> entries_in_order(const toml::table& table);

}  // namespace sprue
