# The everyday commands. `make demo` and `make test` work on a fresh Debian 12; `make help` lists the rest.
SHELL := /bin/bash
.DEFAULT_GOAL := help
CLANG_LIBRARY := build/clang/libsprue-clang.so
PARALLEL ?= $(shell nproc)

.PHONY: help
help:  ## this list
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 24

.PHONY: setup
setup:  ## install the packages that everything else needs
	@scripts/setup

.PHONY: clang-library
clang-library: setup  ## build the compiler library, once for all presets
	@[ -f build/clang/build.ninja ] || cmake -G Ninja -S src/compile/clang/library -B build/clang \
	  -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache >/dev/null
	@ninja -C build/clang --quiet

# build-PRESET: the program and its tests in build/PRESET
build-%: clang-library
	@[ -f build/$*/build.ninja ] || cmake --preset $* >/dev/null
	@ninja -C build/$* --quiet -j $(PARALLEL)

.PHONY: build
build: build-release  ## build the program, the tests and the benchmarks (build/release)

.PHONY: demo
demo: build-release  ## real weights through a Metal kernel, just-in-time and precompiled
	@scripts/demo

.PHONY: test
test: build-release  ## all tests
	@scripts/check_floors
	@SPRUE_NVRTC="$$(scripts/fetch-nvrtc)" \
	  ctest --test-dir build/release --output-on-failure --no-tests=error -j $(PARALLEL)

.PHONY: sanitize
sanitize: sanitize-asan sanitize-tsan  ## the tests under the sanitizers

.PHONY: sanitize-asan sanitize-ubsan
sanitize-asan sanitize-ubsan: sanitize-%: build-%
	@SPRUE_NVRTC=left-out ctest --test-dir build/$* --output-on-failure --no-tests=error -LE 'long|concurrency'

# The thread sanitizer runs what is about threads, and builds no more than that.
.PHONY: sanitize-tsan
sanitize-tsan: clang-library
	@[ -f build/tsan/build.ninja ] || cmake --preset tsan >/dev/null
	@ninja -C build/tsan --quiet -j $(PARALLEL) base_test device_test kernel_test
	@ctest --test-dir build/tsan --output-on-failure --no-tests=error -L concurrency

.PHONY: fuzz
fuzz:  ## each fuzzer for 10 minutes (SECONDS_EACH=10 for less)
	@scripts/fuzz $(or $(SECONDS_EACH),600)

.PHONY: soak
soak: build-release  ## what takes hours: every float through every function
	@SPRUE_SOAK=1 ctest --test-dir build/release --output-on-failure --no-tests=error

.PHONY: bench
bench: build-release  ## the benchmarks of bench/, into bench/results
	@scripts/bench

.PHONY: format
format: setup  ## format the sources
	@git ls-files '*.cpp' '*.h' | xargs clang-format -i

.PHONY: clean
clean:  ## remove what was built
	@rm -rf build
