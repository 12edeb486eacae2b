#include "dialect/cuda/cuda_lowering.h"

#include <algorithm>
#include <iterator>

#include "dialect/declaration.h"

namespace sprue {

namespace {

constexpr std::string_view kShared = "__shared__";
constexpr std::string_view kDynamic = "SPRUE_DYN";  // no longer than kShared
constexpr std::string_view kAlignment = "SPRUE_A";  // as long as alignas
constexpr std::string_view kAssembly[] = {"asm", "__asm", "__asm__"};

class CudaLowerer {
 public:
  CudaLowerer(const Code& code, std::string_view source, int shared_memory)
      : code_(code), shared_memory_(shared_memory), result_{std::string(source)} {}

  tl::expected<LoweredCuda, SourceError> run() {
    if (code_.error()) return tl::unexpected(*code_.error());
    for (size_t i = 0; i < code_.size() && !error_; ++i) {
      const std::string_view text = code_.text(i);
      if (text == kShared) shared(i);
      if (std::find(std::begin(kAssembly), std::end(kAssembly), text) != std::end(kAssembly))
        fail(i, "code that a CPU has", fmt::format("'{}'", text),
             "inline PTX isn't available on the CPU");
    }
    if (error_) return tl::unexpected(*error_);
    return std::move(result_);
  }

 private:
  void fail(size_t i, std::string expected, std::string got, std::string hint) {
    if (error_) return;
    error_ = SourceError{code_[i].line, code_[i].column, std::move(expected), std::move(got),
                         std::move(hint)};
  }

  // Puts `word` in place of token i, padded with blanks. A token over a line continuation stays.
  void replace(size_t i, std::string_view word) {
    const Token& token = code_[i];
    if (token.size != token.text.size())
      return fail(i, fmt::format("'{}' on one line", token.text), "a line continuation inside it",
                  "join the lines");
    for (size_t k = 0; k < token.size; ++k)
      result_.text[token.offset + k] = k < word.size() ? word[k] : ' ';
  }

  void shared(size_t i) {
    // A macro's own name, as in a #define of __shared__.
    if (i > 0 && code_.is_define(i - 1)) return;
    result_.has_shared_memory = true;
    if (code_.text(i + 1) == "alignas") replace(i + 1, kAlignment);
    const bool is_extern = code_.text(i + 1) == "extern" || has_extern_before(i);
    check_declarators(i);
    if (!is_extern) return;
    if (shared_memory_ == 0)
      return fail(i, "shared_memory of at least 1 byte for an extern __shared__ array", "0",
                  "set KernelOptions::shared_memory, or shared_memory in the kernel file");
    replace(i, kDynamic);
  }

  bool has_extern_before(size_t i) const {
    for (size_t k = i; k-- > 0 && i - k < kLookahead;) {
      const std::string_view text = code_.text(k);
      if (text == "extern") return true;
      if (text == ")" && code_.match(k) != Code::kNone)
        k = code_.match(k);
      else if (!code_.is_identifier(k) || code_.is_directive(k))
        return false;
    }
    return false;
  }

  // `__shared__ int n = 0;` would leave the memory as it was, for it belongs to no one thread.
  void check_declarators(size_t i) {
    bool is_type = false;  // of a type that is defined on the way
    for (size_t k = i + 1; k < code_.run_end(i) && k - i < kLookahead; ++k) {
      const std::string_view text = code_.text(k);
      if (text == ";" || text == ")") return;
      is_type |= text == "struct" || text == "union" || text == "class";
      if (text == "=" || (text == "{" && !is_type))
        return fail(i, "a __shared__ variable without initialiser",
                    fmt::format("'{}' behind it", text), "let one thread store, then wait");
      if (text == "<" && skip_template_arguments(code_, k) != Code::kNone)
        k = skip_template_arguments(code_, k) - 1;
      else if (code_.match(k) != Code::kNone && code_.match(k) > k)
        k = code_.match(k);
    }
  }

  const Code& code_;
  int shared_memory_;
  LoweredCuda result_;
  std::optional<SourceError> error_;
};

}  // namespace

tl::expected<LoweredCuda, SourceError> lower_cuda(const Code& code, std::string_view source,
                                                  int shared_memory) {
  return CudaLowerer(code, source, shared_memory).run();
}

}  // namespace sprue
