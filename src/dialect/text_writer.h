// Builds a text and knows its line, for #line directives.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace sprue {

class TextWriter {
 public:
  template <typename... Arguments>
  void write(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    append(fmt::format(format, std::forward<Arguments>(arguments)...));
  }
  void append(std::string_view text);

  // A user's text under its own file name and line 1, then back to the generated text. Ends in a
  // line break even if the text ends in a line continuation.
  void user_text(std::string_view text, std::string_view file);
  // "#line N "<generated>"", where N is the line of the generated text that follows.
  void back_to_generated();

  const std::string& text() const { return text_; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  size_t lines_ = 0;  // finished lines
};

// A file name as a C string literal.
std::string quoted_file_name(std::string_view file);

}  // namespace sprue
