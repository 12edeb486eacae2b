#include "kernel_file/table_reader.h"

#include <algorithm>

namespace sprue {
namespace {

// A dotted key of n parts makes tables nested n deep, which toml++ frees by recursion and doesn't
// bound.
constexpr int kMaximumDots = 15;

// The line of the first key with too many dots; 0 if there is none. Follows the lexical rules of
// TOML as far as toml++ would get: text after a syntax error may be misread, but is never turned
// into tables.
int find_deep_key(std::string_view text) {
  int line = 1, dots = 0;
  const auto starts = [&](size_t i, std::string_view what) {
    return text.substr(i, what.size()) == what;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '#') {
      while (i + 1 < text.size() && text[i + 1] != '\n') ++i;
    } else if (c == '"' || c == '\'') {
      const std::string_view triple = c == '"' ? "\"\"\"" : "'''";
      const bool multiline = starts(i, triple);
      i += multiline ? 3 : 1;
      for (; i < text.size(); ++i) {
        if (text[i] == '\n') {
          ++line;
          if (!multiline) break;
        }
        if (c == '"' && text[i] == '\\') {
          ++i;
          if (i < text.size() && text[i] == '\n') ++line;
        } else if (multiline ? starts(i, triple) : text[i] == c) {
          break;
        }
      }
      if (multiline) {
        i += 2;  // on the last quote; up to two more belong to the string
        for (int extra = 0; extra < 2 && i + 1 < text.size() && text[i + 1] == c; ++extra) ++i;
      }
    } else if (c == '.') {
      if (++dots > kMaximumDots) return line;
    } else if (c == '\n') {
      ++line;
      dots = 0;
    } else if (std::string_view("=,[]{}").find(c) != std::string_view::npos) {
      dots = 0;
    }
  }
  return 0;
}

bool is_number(const toml::node& node) { return node.is_integer() || node.is_floating_point(); }

}  // namespace

std::string describe(const toml::node& node) {
  if (const auto* value = node.as_string()) return "the string " + quoted(value->get());
  if (const auto* value = node.as_integer()) return std::to_string(value->get());
  if (const auto* value = node.as_floating_point()) return fmt::format("{}", value->get());
  if (const auto* value = node.as_boolean()) return value->get() ? "true" : "false";
  if (node.is_table()) return "a table";
  if (node.is_array()) return "an array";
  return "a date or time";
}

std::string describe(const toml::node& node, std::optional<int64_t> value) {
  const auto* text = node.as_string();
  return text && value ? fmt::format("{} = {}", quoted(text->get()), *value) : describe(node);
}

Result<std::optional<int64_t>> integer_at(const toml::node& node, const Sizes& sizes) {
  if (const auto* integer = node.as_integer()) return integer->get();
  if (const auto* text = node.as_string()) {
    SPRUE_ASSIGN(const int64_t value, evaluate_expression(text->get(), sizes));
    return value;
  }
  return std::nullopt;
}

Result<toml::table> parse_toml(std::string_view text, const std::string& path) {
  if (const int line = find_deep_key(text)) {
    return tl::unexpected(error_at(
        path, line, fmt::format("expected keys of at most {} parts, got more", kMaximumDots + 1)));
  }
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    const auto& begin = error.source().begin;
    return tl::unexpected(error_at(path, static_cast<int>(begin.line),
                                   fmt::format("expected valid TOML, got an error in column {}: {}",
                                               begin.column, error.description())));
  }
}

TableReader::TableReader(const toml::table& table, std::string_view path)
    : table_(table), path_(path) {}

void TableReader::fail_at(int line, std::string_view text) {
  if (!error_) error_ = error_at(path_, line, text);
}

int TableReader::line() const { return std::max(1, line_of(table_)); }

int TableReader::line(std::string_view key) const {
  const toml::node* found = table_.get(key);
  return found ? line_of(*found) : line();
}

void TableReader::expected(std::string_view key, std::string_view what, const toml::node& got) {
  fail_at(line_of(got), fmt::format("expected {} for '{}', got {}", what, key, describe(got)));
}

const toml::node* TableReader::node(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  return failed() ? nullptr : table_.get(key);
}

template <typename T>
const T* TableReader::typed(std::string_view key, std::string_view what) {
  const toml::node* found = node(key);
  if (!found) return nullptr;
  const T* value = found->as<T>();
  if (!value) expected(key, what, *found);
  return value;
}

bool TableReader::text(std::string_view key, std::string& value) {
  const auto* found = typed<toml::value<std::string>>(key, "a string");
  if (found) value = found->get();
  return found;
}

bool TableReader::texts(std::string_view key, std::vector<std::string>& values) {
  const auto* found = typed<toml::array>(key, "an array of strings");
  if (!found) return false;
  std::vector<std::string> result;
  for (const toml::node& element : *found) {
    const auto* value = element.as_string();
    if (!value) {
      expected(key, "an array of strings", element);
      return false;
    }
    result.push_back(value->get());
  }
  values = std::move(result);
  return true;
}

bool TableReader::flag(std::string_view key, bool& value) {
  const auto* found = typed<toml::value<bool>>(key, "true or false");
  if (found) value = found->get();
  return found;
}

bool TableReader::number(std::string_view key, double& value) {
  const toml::node* found = node(key);
  if (!found) return false;
  if (!is_number(*found)) {
    expected(key, "a number", *found);
    return false;
  }
  value = *found->value<double>();
  return true;
}

bool TableReader::integer(std::string_view key, int64_t minimum, int64_t maximum, int64_t& value) {
  const toml::node* found = node(key);
  if (!found) return false;
  const auto* integer = found->as_integer();
  if (!integer || integer->get() < minimum || integer->get() > maximum) {
    expected(key, fmt::format("an integer from {} to {}", minimum, maximum), *found);
    return false;
  }
  value = integer->get();
  return true;
}

bool TableReader::integers(std::string_view key, int64_t minimum, int64_t maximum,
                           const Sizes& sizes, std::vector<int64_t>& values) {
  const auto* found = typed<toml::array>(key, "an array of integers");
  if (!found) return false;
  std::vector<int64_t> result;
  for (const toml::node& element : *found) {
    const Result<std::optional<int64_t>> value = integer_at(element, sizes);
    if (!value) {
      fail_at(line_of(element),
              fmt::format("{} (for '{}')", without_origin(value.error().message()), key));
      return false;
    }
    if (!*value || **value < minimum || **value > maximum) {
      fail_at(line_of(element), fmt::format("expected integers from {} to {} for '{}', got {}",
                                            minimum, maximum, key, describe(element, *value)));
      return false;
    }
    result.push_back(**value);
  }
  values = std::move(result);
  return true;
}

const toml::table* TableReader::table(std::string_view key) {
  return typed<toml::table>(key, "a table");
}

const toml::array* TableReader::array(std::string_view key) {
  return typed<toml::array>(key, "an array of tables");
}

void TableReader::require(std::string_view key) {
  if (!has(key)) fail_at(line(), fmt::format("expected a key '{}', got none", key));
}

Status TableReader::finish() {
  if (error_) return tl::unexpected(*error_);
  for (const TableEntry& entry : entries_in_order(table_)) {
    if (std::find(known_.begin(), known_.end(), entry.name) != known_.end()) continue;
    return tl::unexpected(error_at(path_, entry.line,
                                   fmt::format("expected one of the keys {}, got {}",
                                               fmt::join(known_, ", "), quoted(entry.name))));
  }
  return {};
}

std::vector<TableEntry> entries_in_order(const toml::table& table) {
  struct Positioned {
    toml::source_position position;
    TableEntry entry;
  };
  std::vector<Positioned> found;
  for (const auto& [key, node] : table) {
    const toml::source_position position = key.source().begin;
    found.push_back({position, {std::string(key.str()), &node, static_cast<int>(position.line)}});
  }
  std::sort(found.begin(), found.end(),
            [](const Positioned& a, const Positioned& b) { return a.position < b.position; });
  std::vector<TableEntry> entries;
  for (Positioned& one : found) entries.push_back(std::move(one.entry));
  return entries;
}

const TableEntry* find_entry(const std::vector<TableEntry>& entries, std::string_view name) {
  for (const TableEntry& entry : entries) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

}  // namespace sprue
