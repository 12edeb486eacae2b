#include "kernel_file/expression.h"

#include <algorithm>
#include <limits>

#include "kernel_file/message.h"

namespace sprue {
namespace {

constexpr size_t kLongestText = 1000;  // bytes
constexpr size_t kLongestName = 64;    // bytes
constexpr int kMaximumDepth = 64;      // bounds the recursion
constexpr int64_t kSmallest = std::numeric_limits<int64_t>::min();

// Of ASCII, whatever the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(char c) { return begins_name(c) || is_digit(c); }

bool is_function(std::string_view name) {
  return name == "ceildiv" || name == "min" || name == "max";
}

// Evaluates while it parses. Each member reads one rule of the grammar from `position_` on.
class Evaluator {
 public:
  Evaluator(std::string_view text, const Sizes& sizes) : text_(text), sizes_(sizes) {}

  Result<int64_t> run() {
    if (text_.size() > kLongestText) {
      return error(kLongestText, fmt::format("an expression of at most {} bytes, got {}",
                                             kLongestText, text_.size()));
    }
    SPRUE_ASSIGN(const int64_t value, sum());
    peek();
    if (position_ != text_.size()) return unexpected("an operator or the end");
    return value;
  }

 private:
  Result<int64_t> sum() {
    SPRUE_ASSIGN(int64_t value, product());
    while (peek() == '+' || peek() == '-') {
      const size_t operation = position_++;
      SPRUE_ASSIGN(const int64_t right, product());
      SPRUE_ASSIGN(value, apply(operation, value, right));
    }
    return value;
  }

  Result<int64_t> product() {
    SPRUE_ASSIGN(int64_t value, factor());
    while (peek() == '*' || peek() == '/' || peek() == '%') {
      const size_t operation = position_++;
      SPRUE_ASSIGN(const int64_t right, factor());
      SPRUE_ASSIGN(value, apply(operation, value, right));
    }
    return value;
  }

  Result<int64_t> factor() {
    const char c = peek();
    const size_t start = position_;
    if (is_digit(c)) return number();
    if (begins_name(c)) return name();
    if (c != '-' && c != '(') return unexpected("a number, a size, '-' or '('");
    SPRUE_CHECK(enter());
    ++position_;
    if (c == '-') {
      SPRUE_ASSIGN(const int64_t value, factor());
      --depth_;
      if (value == kSmallest)
        return error(start, fmt::format("a value of 64 bits, got -({})", value));
      return -value;
    }
    SPRUE_ASSIGN(const int64_t value, sum());
    if (peek() != ')') return unexpected("an operator or ')'");
    ++position_;
    --depth_;
    return value;
  }

  Result<int64_t> number() {
    const size_t start = position_;
    int64_t value = 0;
    bool overflow = false;
    for (; position_ < text_.size() && is_digit(text_[position_]); ++position_) {
      overflow |= __builtin_mul_overflow(value, int64_t{10}, &value);
      overflow |= __builtin_add_overflow(value, int64_t{text_[position_] - '0'}, &value);
    }
    const std::string_view digits = text_.substr(start, position_ - start);
    if (overflow) return error(start, fmt::format("a value of 64 bits, got {}", quoted(digits)));
    return value;
  }

  Result<int64_t> name() {
    const size_t start = position_;
    while (position_ < text_.size() && continues_name(text_[position_])) ++position_;
    const std::string_view found = text_.substr(start, position_ - start);
    if (is_function(found)) return call(found, start);
    if (peek() == '(') {
      return error(start, fmt::format("a function (ceildiv, min, max), got {}", quoted(found)));
    }
    if (const int64_t* size = find_size(sizes_, found)) return *size;
    return error(start, fmt::format("a size ({}), got {}", list_sizes(sizes_), quoted(found)));
  }

  Result<int64_t> call(std::string_view function, size_t start) {
    if (peek() != '(') return unexpected(fmt::format("'(' after '{}'", function));
    SPRUE_CHECK(enter());
    ++position_;
    int64_t arguments[2] = {};
    int count = 0;
    for (bool more = peek() != ')'; more; ++count) {
      SPRUE_ASSIGN(const int64_t value, sum());
      if (count < 2) arguments[count] = value;
      more = peek() == ',';
      if (more) ++position_;
    }
    if (peek() != ')') return unexpected("an operator, ',' or ')'");
    ++position_;
    --depth_;
    if (count != 2) {
      return error(start, fmt::format("two arguments of '{}', got {}", function, count));
    }
    const auto [a, b] = arguments;
    if (function == "min") return std::min(a, b);
    if (function == "max") return std::max(a, b);
    SPRUE_ASSIGN(const int64_t quotient, divide(start, "ceildiv", a, b));
    // C's quotient is already the upper one where the exact one is negative.
    return quotient + (a % b != 0 && (a < 0) == (b < 0));
  }

  Result<int64_t> divide(size_t operation, std::string_view sign, int64_t a, int64_t b) {
    if (b == 0)
      return error(operation, fmt::format("a divisor other than 0, got {} {} 0", a, sign));
    if (a == kSmallest && b == -1) return overflow(operation, sign, a, b);
    return a / b;
  }

  // The operator that stands at `operation`.
  Result<int64_t> apply(size_t operation, int64_t a, int64_t b) {
    const std::string_view sign = text_.substr(operation, 1);
    int64_t value = 0;
    switch (sign[0]) {
      case '+':
        if (__builtin_add_overflow(a, b, &value)) return overflow(operation, sign, a, b);
        return value;
      case '-':
        if (__builtin_sub_overflow(a, b, &value)) return overflow(operation, sign, a, b);
        return value;
      case '*':
        if (__builtin_mul_overflow(a, b, &value)) return overflow(operation, sign, a, b);
        return value;
      case '/':
        return divide(operation, sign, a, b);
      default:
        if (b == -1) return 0;  // the instruction would trap for the smallest integer
        SPRUE_CHECK(divide(operation, sign, a, b));
        return a % b;
    }
  }

  // Skips blanks. The next character; 0 at the end, where `position_` tells it from a character 0.
  char peek() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t')) {
      ++position_;
    }
    return position_ < text_.size() ? text_[position_] : '\0';
  }

  Status enter() {
    if (++depth_ <= kMaximumDepth) return {};
    return error(position_, fmt::format("at most {} levels, got more", kMaximumDepth));
  }

  tl::unexpected<Error> overflow(size_t operation, std::string_view sign, int64_t a, int64_t b) {
    return error(operation, fmt::format("a value of 64 bits, got {} {} {}", a, sign, b));
  }

  tl::unexpected<Error> unexpected(std::string_view what) {
    peek();
    // A whole character, of several bytes where it isn't ASCII.
    size_t end = std::min(position_ + 1, text_.size());
    while (end < text_.size() && (text_[end] & 0xc0) == 0x80) ++end;
    const std::string_view next = text_.substr(position_, end - position_);
    return error(position_,
                 fmt::format("{}, got {}", what, next.empty() ? "the end" : quoted(next)));
  }

  tl::unexpected<Error> error(size_t position, std::string_view text) {
    return fail(ErrorCode::invalid_argument, "expression", "expected {} in column {} of {}", text,
                position + 1, quoted(text_));
  }

  std::string_view text_;
  const Sizes& sizes_;
  size_t position_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<int64_t> evaluate_expression(std::string_view text, const Sizes& sizes) {
  return Evaluator(text, sizes).run();
}

const int64_t* find_size(const Sizes& sizes, std::string_view name) {
  for (const auto& [known, value] : sizes) {
    if (known == name) return &value;
  }
  return nullptr;
}

bool is_size_name(std::string_view name) {
  if (name.empty() || name.size() > kLongestName || !begins_name(name[0])) return false;
  for (const char c : name) {
    if (!continues_name(c)) return false;
  }
  return !is_function(name);
}

std::string list_sizes(const Sizes& sizes) {
  std::string text;
  for (const auto& [name, value] : sizes) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

}  // namespace sprue
