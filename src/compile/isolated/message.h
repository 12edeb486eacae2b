// What a process and its compile helper say to each other, as bytes: a request one way, an answer back.
//
//   write(pipe, encode_request({request, CompileOutput::binary}));
//   auto answer = decode_answer(bytes);            // nullopt: these bytes are no answer
//
//   message ::= "sprue-compile-1" kind field*      kind ::= 'q' | 'a'
//   text    ::= size (8 bytes, little-endian) byte*
//   number  ::= 8 bytes, little-endian             real ::= a double's bits as a number
//
// Both sides are of one release: another version is refused, not read. Decoding trusts no size and asks
// for no more memory than the bytes take; what follows a message makes it none.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compile/clang/clang_library.h"

namespace sprue {

struct HelperRequest {
  CompileRequest request;  // its signature arrives with as many parameters, all empty
  CompileOutput output = CompileOutput::binary;
};

std::string encode_request(const CompileRequest& request, CompileOutput output);
std::optional<HelperRequest> decode_request(std::string_view bytes);

std::string encode_answer(const Result<Compiled>& answer);
std::optional<Result<Compiled>> decode_answer(std::string_view bytes);

}  // namespace sprue
