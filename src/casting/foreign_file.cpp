#include "casting/foreign_file.h"

#include <algorithm>

namespace sprue {

namespace {

// PTX is text: comments and blank lines, then `.version`.
bool is_ptx(std::string_view bytes) {
  while (true) {
    bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
    if (!bytes.starts_with("//")) return bytes.starts_with(".version");
    bytes.remove_prefix(std::min(bytes.find('\n'), bytes.size()));
  }
}

}  // namespace

std::string describe_foreign_file(std::string_view bytes) {
  if (bytes.empty()) return "an empty file; make it with `sprue cast`";
  if (bytes.starts_with("MTLB"))
    return "a Metal library (.metallib), which only Apple's Metal loads; make a casting from the "
           "kernel's source with `sprue cast`, or give the source to metal_kernel";
  if (bytes.starts_with("\x7f"
                        "ELF"))
    return "an ELF file (a shared object or a CUDA cubin); make a casting from the kernel's source "
           "with `sprue cast`";
  if (bytes.starts_with("\x50\xed\x55\xba"))
    return "a CUDA fat binary; make a casting from the kernel's source with `sprue cast`";
  if (is_ptx(bytes)) return "PTX text; make a casting from the kernel's source with `sprue cast`";
  return "a file of another kind; make a casting with `sprue cast`";
}

}  // namespace sprue
