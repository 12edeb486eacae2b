#include "dialect/kernel_function.h"

#include <algorithm>
#include <deque>

#include "dialect/generator.h"
#include "dialect/mangle.h"
#include "dialect/parameter_text.h"
#include "dialect/prelude_parts.h"

namespace sprue {

namespace {

// Of the header or the body, at the user's place.
tl::unexpected<Error> fail_at(const SourceError& error, const KernelDefinition& definition,
                              TextRole role) {
  return tl::unexpected(
      to_error(error, definition.name,
               role == TextRole::body ? definition.source_file : definition.header_file));
}

// The user's two texts: what one declares counts in the other.
Status lower_texts(const KernelDefinition& definition, const LoweringOptions& options,
                   KernelFunction& kernel) {
  const TokenList header_tokens = lex(definition.header), body_tokens = lex(definition.source);
  const Code header_code(header_tokens), body_code(body_tokens);
  std::deque<TokenList> include_tokens;
  std::deque<Code> include_codes;
  OwnMembers members;
  members.add(header_code);
  members.add(body_code);
  for (const IncludedText& included : definition.includes)
    members.add(include_codes.emplace_back(include_tokens.emplace_back(lex(included.text))));
  PreludeParts parts;
  std::set<std::string> swizzles;
  for (size_t i = 0; i < definition.includes.size(); ++i) {
    const IncludedText& included = definition.includes[i];
    auto lowered = lower(include_codes[i], included.text, TextRole::header, members, options);
    if (!lowered) return tl::unexpected(to_error(lowered.error(), definition.name, included.file));
    swizzles.insert(lowered->swizzles.begin(), lowered->swizzles.end());
    parts.add(include_codes[i]);
    TextWriter writer;
    writer.user_text(lowered->text, included.file);
    kernel.includes.emplace(included.name, writer.take());
  }
  for (TextRole role : {TextRole::header, TextRole::body}) {
    const bool is_body = role == TextRole::body;
    const Code& code = is_body ? body_code : header_code;
    auto lowered =
        lower(code, is_body ? definition.source : definition.header, role, members, options);
    if (!lowered) return fail_at(lowered.error(), definition, role);
    swizzles.insert(lowered->swizzles.begin(), lowered->swizzles.end());
    parts.add(code);
    (is_body ? kernel.body : kernel.header) = std::move(*lowered);
  }
  if (definition.atomic_outputs) parts.add_name("atomic");
  parts.add_swizzles(swizzles);
  for (size_t i = 0; i < include_codes.size(); ++i)
    if (const auto clash = find_clash(include_codes[i], swizzles))
      return tl::unexpected(to_error(*clash, definition.name, definition.includes[i].file));
  if (const auto clash = find_clash(header_code, swizzles))
    return fail_at(*clash, definition, TextRole::header);
  if (const auto clash = find_clash(body_code, swizzles))
    return fail_at(*clash, definition, TextRole::body);
  kernel.prelude_definitions = parts.definitions();
  kernel.swizzle_definitions = parts.swizzle_definitions();
  return {};
}

void write_head(TextWriter& writer, const KernelFunction& kernel) {
  writer.append(kernel.template_line);
  writer.write("SPRUE_KERNEL void {}(\n", kernel.entry_name);
  std::string_view separator = "";
  for (const Parameter& parameter : kernel.signature.parameters) {
    writer.write("{}    {}{}{} {}", separator, is_read_only(parameter) ? "const " : "",
                 element_type(parameter), parameter.is_scalar ? "&" : "*", parameter.name);
    separator = ",\n";
  }
  for (Attribute attribute : used_attributes(kernel.signature)) {
    const AttributeTraits& traits = attribute_traits(attribute);
    writer.write(",\n    {} {}", traits.type, traits.name);
  }
  writer.append(")");
}

// A half may be an operand.
bool has_half(const KernelDefinition& definition, const Specialization& specialization) {
  for (std::string_view text : {definition.header, definition.source})
    for (std::string_view name : {"half", "float16"})
      if (text.find(name) != std::string_view::npos) return true;
  const auto is_half = [](Dtype type) { return type == Dtype::float16; };
  return std::any_of(specialization.outputs.begin(), specialization.outputs.end(), is_half) ||
         std::any_of(specialization.inputs.begin(), specialization.inputs.end(),
                     [](const InputTraits& input) { return input.dtype == Dtype::float16; }) ||
         std::any_of(specialization.template_arguments.begin(),
                     specialization.template_arguments.end(), [](const TemplateArgument& argument) {
                       return template_value_text(argument.value) == "float16";
                     });
}

}  // namespace

void KernelFunction::write_prelude(TextWriter& writer, std::string_view prelude) const {
  writer.append(prelude_definitions);
  writer.write("#include \"{}\"\n", prelude);
  writer.append(swizzle_definitions);
}

void KernelFunction::write_header(TextWriter& writer) const {
  if (!header.text.empty()) writer.user_text(header.text, header_file);
}

void KernelFunction::write_declaration(TextWriter& writer) const {
  write_head(writer, *this);
  writer.append(";\n");
}

void KernelFunction::write_function(TextWriter& writer) const {
  write_head(writer, *this);
  writer.append(" {\n");
  writer.user_text(body.text, source_file);
  writer.append("}\n");
}

GeneratedSource KernelFunction::source(std::string text) const {
  GeneratedSource source;
  source.text = std::move(text);
  source.entry_name = entry_name;
  source.signature = signature;
  source.headers = includes;
  if (includes.empty()) {
    source.digest = digest_bytes(source.text);
    return source;
  }
  Hasher hasher;
  hasher.field("text", source.text);
  for (const auto& [name, included] : includes) hasher.field("name", name).field("text", included);
  source.digest = hasher.digest();
  return source;
}

Result<KernelFunction> lower_kernel(const KernelDefinition& definition,
                                    const Specialization& specialization,
                                    const LoweringOptions& options) {
  LoweringOptions needed = options;
  needed.half_is_class &= has_half(definition, specialization);
  KernelFunction kernel;
  SPRUE_ASSIGN(kernel.signature, make_signature(definition, specialization));
  SPRUE_CHECK(lower_texts(definition, needed, kernel));
  kernel.entry_name = entry_name(definition, specialization);
  kernel.header_file = definition.header_file;
  kernel.source_file = definition.source_file;
  kernel.template_line = template_line(specialization);
  kernel.template_arguments = template_argument_list(specialization, true);
  return kernel;
}

}  // namespace sprue
