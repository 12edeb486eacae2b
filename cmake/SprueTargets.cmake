# How the targets of this project are made: one static library a floor, one test program a floor.

add_library(sprue_options INTERFACE)
target_include_directories(sprue_options INTERFACE "${CMAKE_SOURCE_DIR}" "${CMAKE_SOURCE_DIR}/include"
                                                   "${CMAKE_SOURCE_DIR}/src")
# No contraction: the native loops and the preludes promise the same bits as the JIT's safe math.
target_compile_options(sprue_options INTERFACE -Wall -Wextra -Wno-missing-field-initializers
                                               -ffp-contract=off -march=x86-64-v3)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 at -O3 sees faults inside libstdc++ and tl::expected that aren't there (GCC bug 105651 and its
  # kind).
  target_compile_options(sprue_options INTERFACE -Wshadow=local -Wno-restrict -Wno-maybe-uninitialized
                                                 -Wno-stringop-overread -Wno-stringop-overflow)
endif()
if(SPRUE_DEVELOPER)
  target_compile_options(sprue_options INTERFACE -Werror)
endif()
if(SPRUE_SANITIZE)
  target_compile_options(sprue_options INTERFACE -fsanitize=${SPRUE_SANITIZE}
                                                 -fno-sanitize-recover=all -fno-omit-frame-pointer -O1 -g1)
  target_link_options(sprue_options INTERFACE -fsanitize=${SPRUE_SANITIZE})
endif()

# sprue_floor(NAME [LINK libraries...]): src/NAME/**.cpp as the static library sprue_NAME.
function(sprue_floor name)
  cmake_parse_arguments(PARSE_ARGV 1 FLOOR "" "" "LINK;EXCLUDE")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/${name}/*.cpp")
  foreach(pattern IN LISTS FLOOR_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "${pattern}")
  endforeach()
  add_library(sprue_${name} STATIC ${sources})
  target_link_libraries(sprue_${name} PUBLIC sprue_options ${FLOOR_LINK})
endfunction()

# sprue_test(NAME libraries...): tests/NAME/*_test.cpp as one test program.
function(sprue_test name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/${name}/*.cpp")
  if(NOT sources)
    return()
  endif()
  add_executable(${name}_test ${sources})
  target_link_libraries(${name}_test PRIVATE ${ARGN} GTest::gtest GTest::gtest_main)
  # Tests are compiled once and run once: optimising them costs more than it gives.
  target_compile_options(${name}_test PRIVATE -O1)
  target_include_directories(${name}_test PRIVATE "${CMAKE_SOURCE_DIR}/tests")
  target_compile_definitions(${name}_test PRIVATE
                             SPRUE_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data"
                             SPRUE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  add_test(NAME ${name} COMMAND ${name}_test)
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${SPRUE_TEST_ENVIRONMENT}")
endfunction()

set(SPRUE_TEST_ENVIRONMENT "SPRUE_CLANG_LIBRARY=${SPRUE_CLANG_DIR}/libsprue-clang.so")

# sprue_test_again(NAME SUFFIX VARIABLE=VALUE): the same program once more in another mode.
function(sprue_test_again name suffix variable)
  add_test(NAME ${name}_${suffix} COMMAND ${name}_test)
  set_tests_properties(${name}_${suffix} PROPERTIES
                       ENVIRONMENT "${SPRUE_TEST_ENVIRONMENT};${variable}" LABELS long)
endfunction()

# sprue_concurrency_test(NAME): the tests whose suite's name has Concurrency in it.
function(sprue_concurrency_test name)
  add_test(NAME ${name}_concurrency COMMAND ${name}_test --gtest_filter=*Concurrency*)
  set_tests_properties(${name}_concurrency PROPERTIES
                       ENVIRONMENT "${SPRUE_TEST_ENVIRONMENT}" LABELS concurrency)
endfunction()
