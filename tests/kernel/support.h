// What the tests of kernels share: arrays from plain numbers, counters before and after, errors as
// values.
//
//   const CounterDelta delta;
//   const Arrays out = kernel({...});
//   EXPECT_EQ(numbers(out[0]), (std::vector<double>{2, 4}));
//   EXPECT_EQ(delta(&Counters::compiles), 1u);
//   const Error error = expect_error(ErrorCode::invalid_argument, {"'scale'"}, [&] { (void)kernel({}); });
#pragma once

#include <gtest/gtest.h>

#include <complex>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/counters.h"
#include "kernel/cast_kernel.h"
#include "kernel/settings.h"
#include "sprue/sprue.h"

namespace sprue {

// What a counter has gained since this object was made.
class CounterDelta {
 public:
  using Counter = std::atomic<uint64_t> Counters::*;

  CounterDelta() {
    for (Counter counter : kCounters) before_.push_back((counters().*counter).load());
  }
  uint64_t operator()(Counter counter) const {
    for (size_t i = 0; i < std::size(kCounters); ++i)
      if (kCounters[i] == counter) return (counters().*counter).load() - before_[i];
    ADD_FAILURE() << "this counter isn't watched";
    return 0;
  }

 private:
  static constexpr Counter kCounters[] = {
      &Counters::definitions, &Counters::hits,     &Counters::misses,          &Counters::evictions,
      &Counters::compiles,    &Counters::launches, &Counters::failed_compiles, &Counters::loads,
      &Counters::fills,       &Counters::copies,   &Counters::generated_texts};
  std::vector<uint64_t> before_;
};

// Sets the process's switches for one scope: tests that count must not depend on the environment.
class WithSettings {
 public:
  WithSettings(bool table, bool verify_keys)
      : table_(kernel_settings().table), verify_keys_(kernel_settings().verify_keys) {
    kernel_settings().table = table;
    kernel_settings().verify_keys = verify_keys;
  }
  ~WithSettings() {
    kernel_settings().table = table_;
    kernel_settings().verify_keys = verify_keys_;
  }

 private:
  const bool table_, verify_keys_;
};

// A name that no kernel of this process has yet: definitions are interned for the process's life, so a
// test that counts compiles can't use a name twice, not even under --gtest_repeat.
inline std::string fresh_name(const std::string& stem) {
  static std::atomic<int> count{0};
  return stem + "_" + std::to_string(count++);
}

template <typename T>
Array array_of(const std::vector<double>& values, const Shape& shape) {
  std::vector<T> converted;
  for (double value : values) {
    if constexpr (std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>)
      converted.push_back(T(static_cast<float>(value)));
    else if constexpr (std::is_same_v<T, std::complex<float>>)
      converted.push_back({static_cast<float>(value), 0});
    else
      converted.push_back(static_cast<T>(value));
  }
  Array array = Array::empty(shape, dtype_of<T>);
  EXPECT_EQ(array.size(), static_cast<int64_t>(values.size()));
  for (size_t i = 0; i < converted.size(); ++i) array.data<T>()[i] = converted[i];
  return array;
}

// Calls visit with a value of the dtype's C++ type.
template <typename Visit>
auto with_type_of(Dtype dtype, Visit visit) {
  switch (dtype) {
    case Dtype::bool_:
      return visit(bool{});
    case Dtype::uint8:
      return visit(uint8_t{});
    case Dtype::uint16:
      return visit(uint16_t{});
    case Dtype::uint32:
      return visit(uint32_t{});
    case Dtype::uint64:
      return visit(uint64_t{});
    case Dtype::int8:
      return visit(int8_t{});
    case Dtype::int16:
      return visit(int16_t{});
    case Dtype::int32:
      return visit(int32_t{});
    case Dtype::int64:
      return visit(int64_t{});
    case Dtype::float16:
      return visit(Float16{});
    case Dtype::bfloat16:
      return visit(BFloat16{});
    case Dtype::float32:
      return visit(float{});
    case Dtype::float64:
      return visit(double{});
    case Dtype::complex64:
      return visit(std::complex<float>{});
  }
  return visit(float{});
}

inline Array make_array(Dtype dtype, const std::vector<double>& values, const Shape& shape) {
  return with_type_of(dtype, [&](auto zero) { return array_of<decltype(zero)>(values, shape); });
}

// 0, 1, 2, ... as a vector or in the shape given.
inline Array arange(int64_t count, Dtype dtype = float32) {
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(static_cast<double>(i));
  return make_array(dtype, values, {count});
}

// Row-major elements as numbers; of a complex one the real part.
inline std::vector<double> numbers(const Array& array) {
  return with_type_of(array.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Array packed = array.contiguous();
    std::vector<double> values;
    for (int64_t i = 0; i < packed.size(); ++i) {
      const T value = packed.data<T>()[i];
      if constexpr (std::is_same_v<T, std::complex<float>>)
        values.push_back(value.real());
      else if constexpr (std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>)
        values.push_back(static_cast<float>(value));
      else
        values.push_back(static_cast<double>(value));
    }
    return values;
  });
}

inline double number(const Array& array) { return numbers(array).at(0); }

// Runs the action, which must throw an Error of this code whose message has all the parts.
inline Error expect_error(ErrorCode code, const std::vector<std::string>& parts,
                          const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_STREQ(error_code_name(error.code()), error_code_name(code)) << error.what();
    for (const std::string& part : parts)
      EXPECT_NE(error.message().find(part), std::string::npos)
          << "no '" << part << "' in: " << error.message();
    return error;
  }
  ADD_FAILURE() << "no error, where " << error_code_name(code) << " was expected";
  return Error(code, "no error");
}

// Runs body(i) on `count` threads at once and joins them.
inline void on_threads(int count, const std::function<void(int)>& body) {
  std::atomic<int> started{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      // All of them first, so that none is through before the last has started.
      for (++started; started < count;) std::this_thread::yield();
      body(i);
    });
  for (auto& thread : threads) thread.join();
}

// A kernel with one input x and one output y, in a call that writes one element.
inline KernelOptions one_to_one(const std::string& name, const std::string& body) {
  return {.name = name, .input_names = {"x"}, .output_names = {"y"}, .source = body};
}

inline KernelCall one_element_call(const Array& x, Dtype output,
                                   std::vector<TemplateArgument> arguments = {}) {
  return {.inputs = {x},
          .output_shapes = {{1}},
          .output_dtypes = {output},
          .grid = {1, 1, 1},
          .threadgroup = {1, 1, 1},
          .template_arguments = std::move(arguments)};
}

// An ordinary kernel still compiles and runs: no error before has broken anything.
inline void expect_still_working() {
  const Kernel kernel = metal_kernel(one_to_one(fresh_name("working"), "y[0] = x[1] + 41;"));
  EXPECT_EQ(number(kernel(one_element_call(arange(8), float32))[0]), 42);
}

// Compiles the kernel, which must fail; returns the error.
inline Error expect_compile_error(const KernelOptions& options,
                                  const std::vector<std::string>& parts,
                                  std::vector<TemplateArgument> arguments = {}) {
  const CounterDelta delta;
  const Error error = expect_error(ErrorCode::compile_failed, parts, [&] {
    (void)metal_kernel(options)(one_element_call(arange(8), float32, arguments));
  });
  EXPECT_NE(error.message().find(options.name), std::string::npos) << error.message();
  for (const char* ours :
       {"metal_cpu.h", "metal_types.h", "metal_library.h", "metal_atomic.h", "math.h", "cpu_abi.h",
        "/sprue/include", "<generated>", "sprue_argument"})
    EXPECT_EQ(error.details().compile_log.find(ours), std::string::npos)
        << error.details().compile_log;
  EXPECT_EQ(delta(&Counters::launches), 0u);
  return error;
}

// A kernel state that makes nothing of its own: it loads one binary anew for each specialisation. Fast
// enough to fill tables, and its code really is unmapped with the last reference.
class ReloadingState : public KernelState {
 public:
  ReloadingState(const Kernel& kernel, const KernelCall& call)
      : KernelState(kernel.state().definition(), "test"),
        model_(value_or_throw(
            kernel.state().make(specialization_of(call), cpu_device(), call.policy))) {}

  Result<std::shared_ptr<const ReadySpecialization>> make(const Specialization&, Device& device,
                                                          CompilePolicy) override {
    ++makes;
    if (before_make) SPRUE_CHECK(before_make());
    auto ready = std::make_shared<ReadySpecialization>(*model_);
    SPRUE_ASSIGN(ready->pipeline, device.load(ready->binary));
    return ready;
  }
  Result<std::string> regenerate(const Specialization&) override { return text_to_compare; }

  std::atomic<int> makes{0};
  std::function<Status()> before_make;
  std::string text_to_compare;

 private:
  const std::shared_ptr<const ReadySpecialization> model_;
};

}  // namespace sprue
