#include "dialect/text_writer.h"

#include <algorithm>

namespace sprue {

void TextWriter::append(std::string_view text) {
  lines_ += static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  text_ += text;
}

void TextWriter::user_text(std::string_view text, std::string_view file) {
  write("#line 1 {}\n", quoted_file_name(file));
  append(text);
  append("\n");
  // A backslash before a line break would join the next line to this one; an empty line stops it.
  const size_t last = text.find_last_not_of(" \t\v\f\r\n");
  if (last != std::string_view::npos && text[last] == '\\') append("\n");
  back_to_generated();
}

void TextWriter::back_to_generated() { write("#line {} \"<generated>\"\n", lines_ + 2); }

std::string quoted_file_name(std::string_view file) {
  std::string quoted = "\"";
  for (char c : file) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      quoted += {'\\', c};
    else if (byte < 0x20 || byte == 0x7f)
      quoted += '?';  // a #line may hold no numeric escapes
    else
      quoted += c;
  }
  return quoted + "\"";
}

}  // namespace sprue
