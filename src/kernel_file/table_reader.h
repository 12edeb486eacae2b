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
#include "kernel_file/expression.h"
#include "kernel_file/message.h"

namespace sprue {

Result<toml::table> parse_toml(std::string_view text, const std::string& path);

inline int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }
// "a string", 3, "an array": what stands there, short enough for one line.
std::string describe(const toml::node& node);
// The same of a node that is an integer or an expression of this value: 3, 'M*N' = 1024.
std::string describe(const toml::node& node, std::optional<int64_t> value);

// The integer that stands there, or the value of the expression of `sizes` if it is a string;
// nothing if it is neither. Errors have no file and line yet.
Result<std::optional<int64_t>> integer_at(const toml::node& node, const Sizes& sizes);

class TableReader {
 public:
  TableReader(const toml::table& table, std::string_view path);

  // Each getter returns whether the key is there and right; `value` is untouched otherwise.
  bool text(std::string_view key, std::string& value);
  bool texts(std::string_view key, std::vector<std::string>& values);
  bool flag(std::string_view key, bool& value);
  bool number(std::string_view key, double& value);  // an integer or a float
  bool integer(std::string_view key, int64_t minimum, int64_t maximum, int64_t& value);
  // Each an integer or an expression of `sizes`.
  bool integers(std::string_view key, int64_t minimum, int64_t maximum, const Sizes& sizes,
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
// Null if there is none of this name.
const TableEntry* find_entry(const std::vector<TableEntry>& entries, std::string_view name);

}  // namespace sprue
