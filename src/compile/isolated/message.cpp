#include "compile/isolated/message.h"

#include <bit>

namespace sprue {

namespace {

constexpr std::string_view kMagic = "sprue-compile-2";

class Writer {
 public:
  explicit Writer(char kind) : bytes_(kMagic) { bytes_ += kind; }
  void number(uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8) bytes_ += static_cast<char>(value >> shift & 0xff);
  }
  void real(double value) { number(std::bit_cast<uint64_t>(value)); }
  void text(std::string_view value) {
    number(value.size());
    bytes_ += value;
  }
  void texts(const std::map<std::string, std::string>& values) {
    number(values.size());
    for (const auto& [name, value] : values) {
      text(name);
      text(value);
    }
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// A read beyond the end gives nothing and makes the reader bad for good.
class Reader {
 public:
  Reader(std::string_view bytes, char kind) : rest_(bytes) {
    good_ = raw(kMagic.size()) == kMagic && raw(1) == std::string_view(&kind, 1);
  }
  bool complete() const { return good_ && rest_.empty(); }
  uint64_t number() {
    uint64_t value = 0;
    const std::string_view bytes = raw(sizeof value);
    for (size_t i = 0; i < bytes.size(); ++i)
      value |= uint64_t{static_cast<uint8_t>(bytes[i])} << (8 * i);
    return value;
  }
  // At most `last`, or the reader is bad.
  uint64_t number_up_to(uint64_t last) {
    const uint64_t value = number();
    if (value <= last) return value;
    good_ = false;
    return 0;
  }
  double real() { return std::bit_cast<double>(number()); }
  std::string text() { return std::string(raw(number())); }
  std::map<std::string, std::string> texts() {
    std::map<std::string, std::string> values;
    for (uint64_t left = number(); left > 0 && good_; --left) {
      std::string name = text();
      values[std::move(name)] = text();
    }
    return values;
  }

 private:
  std::string_view raw(uint64_t size) {
    if (size > rest_.size()) {
      good_ = false;
      rest_ = {};
      return {};
    }
    const std::string_view value = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return value;
  }

  std::string_view rest_;
  bool good_ = true;
};

template <typename Enumeration>
Enumeration read_enumeration(Reader& reader, Enumeration last) {
  return static_cast<Enumeration>(reader.number_up_to(static_cast<uint64_t>(last)));
}

}  // namespace

std::string encode_request(const CompileRequest& request, CompileOutput output) {
  Writer writer('q');
  writer.number(static_cast<uint64_t>(output));
  writer.text(request.text);
  writer.text(request.file_name);
  writer.text(request.kernel_name);
  writer.text(request.entry_name);
  writer.number(request.signature.parameters.size());
  writer.texts(request.headers);
  writer.texts(request.user_headers);
  writer.texts(request.user_files);
  writer.text(request.target.architecture);
  writer.text(request.target.features);
  writer.number(static_cast<uint64_t>(request.dialect));
  writer.number(static_cast<uint64_t>(request.math));
  writer.number(static_cast<uint64_t>(request.optimization));
  return writer.take();
}

std::optional<HelperRequest> decode_request(std::string_view bytes) {
  constexpr uint64_t kMostParameters = 1 << 20;
  Reader reader(bytes, 'q');
  HelperRequest result;
  CompileRequest& request = result.request;
  result.output = read_enumeration(reader, CompileOutput::check);
  request.text = reader.text();
  request.file_name = reader.text();
  request.kernel_name = reader.text();
  request.entry_name = reader.text();
  request.signature.parameters.resize(reader.number_up_to(kMostParameters));
  request.headers = reader.texts();
  request.user_headers = reader.texts();
  request.user_files = reader.texts();
  request.target.architecture = reader.text();
  request.target.features = reader.text();
  request.dialect = read_enumeration(reader, Dialect::cuda);
  request.math = read_enumeration(reader, MathMode::fast);
  request.optimization = read_enumeration(reader, Optimization::fast);
  if (!reader.complete()) return std::nullopt;
  return result;
}

std::string encode_answer(const Result<Compiled>& answer) {
  Writer writer('a');
  writer.number(answer.has_value());
  if (!answer) {
    const Error& error = answer.error();
    writer.number(static_cast<uint64_t>(error.code()));
    writer.text(error.message());
    writer.text(error.details().compile_log);
    writer.text(error.details().user_file);
    writer.number(static_cast<uint64_t>(error.details().line));
    writer.number(static_cast<uint64_t>(error.details().column));
    writer.text(error.details().options);
    return writer.take();
  }
  writer.text(answer->bytes);
  writer.text(answer->log);
  writer.text(answer->compiler);
  const Binary::Timing& timing = answer->timing;
  for (double part : {timing.front_end, timing.optimize, timing.emit, timing.link, timing.total})
    writer.real(part);
  return writer.take();
}

std::optional<Result<Compiled>> decode_answer(std::string_view bytes) {
  constexpr uint64_t kLargestPlace = INT32_MAX;
  Reader reader(bytes, 'a');
  if (reader.number_up_to(1) == 0) {
    const auto code = read_enumeration(reader, ErrorCode::internal);
    std::string message = reader.text();
    ErrorDetails details;
    details.compile_log = reader.text();
    details.user_file = reader.text();
    details.line = static_cast<int>(reader.number_up_to(kLargestPlace));
    details.column = static_cast<int>(reader.number_up_to(kLargestPlace));
    details.options = reader.text();
    if (!reader.complete()) return std::nullopt;
    return tl::unexpected(Error(code, std::move(message), std::move(details)));
  }
  Compiled compiled;
  compiled.bytes = reader.text();
  compiled.log = reader.text();
  compiled.compiler = reader.text();
  Binary::Timing& timing = compiled.timing;
  for (double* part :
       {&timing.front_end, &timing.optimize, &timing.emit, &timing.link, &timing.total})
    *part = reader.real();
  if (!reader.complete()) return std::nullopt;
  return compiled;
}

}  // namespace sprue
