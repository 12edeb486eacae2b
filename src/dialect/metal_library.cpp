#include "dialect/metal_library.h"

#include <algorithm>
#include <map>

#include "base/embedded_text.h"
#include "dialect/text_writer.h"

namespace sprue {

namespace {

// One word of a shell's line, and of a comment's: quoted where it has to be.
std::string shell_word(std::string_view word) {
  const bool plain = std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_.,+-/").find(c) != std::string_view::npos;
  });
  if (plain) return std::string(word);
  std::string quoted = "'";
  for (char c : word) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += static_cast<unsigned char>(c) < 0x20 ? '?' : c;  // a comment is one line
  }
  return quoted + "'";
}

// 3.1 is the first language version with bfloat. The flags of safe and fast are the compiler's oldest;
// relaxed has none among those, and the newer one is what Apple's tools of macOS 15 take.
std::string_view math_flag(MathMode math) {
  switch (math) {
    case MathMode::safe:
      return "-fno-fast-math";
    case MathMode::relaxed:
      return "-fmetal-math-mode=relaxed";
    case MathMode::fast:
      return "-ffast-math";
  }
  return "-fno-fast-math";
}

std::string build_command(MathMode math, std::string_view stem) {
  std::string name(stem);
  // A word with a dash in front would be an option.
  if (name.starts_with('-')) name.insert(0, "./");
  return fmt::format("xcrun -sdk macosx metal -std=metal3.1 {} -o {} {}", math_flag(math),
                     shell_word(name + ".metallib"), shell_word(name + ".metal"));
}

}  // namespace

Result<MetalLibrary> generate_metal_library(const KernelDefinition& definition,
                                            std::span<const Specialization> specializations,
                                            std::string_view stem) {
  struct Kernel {
    MetalText text;
    const Specialization* specialization;
  };
  std::vector<Kernel> kernels;
  std::map<std::string, size_t> by_label;
  for (const Specialization& specialization : specializations) {
    SPRUE_ASSIGN(MetalText text, generate_metal_text(definition, specialization));
    const auto [at, fresh] = by_label.emplace(text.entry_name, kernels.size());
    if (fresh) {
      kernels.push_back({std::move(text), &specialization});
      continue;
    }
    const Kernel& known = kernels[at->second];
    if (known.text.kernel == text.kernel) continue;
    return fail(ErrorCode::invalid_argument, "emit",
                "expected one text under MLX's label '{}' in a file, got two: for {} and for {}; "
                "emit them apart, one call at a time (--call NAME)",
                text.entry_name, known.specialization->describe(definition),
                specialization.describe(definition));
  }

  MetalLibrary library;
  library.command = build_command(definition.math, stem);
  TextWriter writer;
  writer.write(
      "// Written by Sprue: a custom kernel as a complete Metal file, {} specialisation{}, math "
      "mode "
      "{}.\n"
      "// Not run by Sprue's authors on Apple hardware. A Mac builds a library of it with\n"
      "//   {}\n\n",
      kernels.size(), kernels.size() == 1 ? "" : "s", math_mode_name(definition.math),
      library.command);
  for (const EmbeddedText& preamble : preamble_texts()) writer.append(preamble.text);
  for (const Kernel& kernel : kernels) {
    const bool first = &kernel == &kernels.front();
    const std::string& header = kernel.text.header;
    // Lines of the generated text are counted as `verbose` shows them, header included.
    const auto line = first ? 1 : std::count(header.begin(), header.end(), '\n') + 1;
    writer.write("\n// {}: {}\n#line {} \"<generated>\"\n", kernel.text.entry_name,
                 kernel.specialization->describe(definition), line);
    writer.append(first ? kernel.text.text() : kernel.text.kernel);
  }
  library.text = writer.take();
  return library;
}

}  // namespace sprue
