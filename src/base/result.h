// Errors as values inside the library; thrown once at the public edge by value_or_throw.
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "sprue/error.h"

namespace sprue {

template <typename T>
using Result = tl::expected<T, Error>;
using Status = tl::expected<void, Error>;

// fail(ErrorCode::io, "gguf", "expected {} bytes, got {}", a, b) -> "[gguf] expected ..."
template <typename... Arguments>
[[nodiscard]] tl::unexpected<Error> fail(ErrorCode code, std::string_view origin,
                                         fmt::format_string<Arguments...> text,
                                         Arguments&&... arguments) {
  return tl::unexpected(Error(
      code,
      fmt::format("[{}] {}", origin, fmt::format(text, std::forward<Arguments>(arguments)...))));
}

template <typename T>
T value_or_throw(Result<T>&& result) {
  if (!result) throw std::move(result).error();
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

}  // namespace sprue

#define SPRUE_CONCATENATE_(a, b) a##b
#define SPRUE_CONCATENATE(a, b) SPRUE_CONCATENATE_(a, b)

// SPRUE_CHECK(status_expression): returns the error to the caller.
#define SPRUE_CHECK(...)                                      \
  do {                                                        \
    if (auto sprue_status = (__VA_ARGS__); !sprue_status)     \
      return tl::unexpected(std::move(sprue_status).error()); \
  } while (false)

// SPRUE_ASSIGN(auto x, expression): x = value, or returns the error to the caller.
#define SPRUE_ASSIGN(declaration, ...) \
  SPRUE_ASSIGN_(SPRUE_CONCATENATE(sprue_result_, __LINE__), declaration, __VA_ARGS__)
#define SPRUE_ASSIGN_(result, declaration, ...)                  \
  auto result = (__VA_ARGS__);                                   \
  if (!result) return tl::unexpected(std::move(result).error()); \
  declaration = std::move(*result)
