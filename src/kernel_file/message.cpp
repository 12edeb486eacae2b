#include "kernel_file/message.h"

#include <algorithm>

namespace sprue {

Error error_at(std::string_view path, int line, std::string_view text, ErrorCode code) {
  return Error(code, fmt::format("[kernel_file] {}:{}: {}", path, line, text),
               {.user_file = std::string(path), .line = line});
}

std::string quoted(std::string_view text) {
  size_t length = std::min<size_t>(text.size(), 60);
  // Not in the middle of a UTF-8 sequence.
  while (length < text.size() && length > 0 && (text[length] & 0xc0) == 0x80) --length;
  std::string result = "'";
  for (char c : text.substr(0, length)) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result + (length < text.size() ? "...'" : "'");
}

std::string_view without_origin(std::string_view message) {
  const size_t end = message.find("] ");
  return message.starts_with('[') && end != message.npos ? message.substr(end + 2) : message;
}

}  // namespace sprue
