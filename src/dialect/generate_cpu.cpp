#include "dialect/generator.h"
#include "dialect/lowering.h"
#include "dialect/mangle.h"
#include "dialect/parameter_text.h"
#include "dialect/prelude_parts.h"
#include "dialect/text_writer.h"

namespace sprue {

namespace {

// Attributes that say nothing about a thread's group: a kernel with no others may run whole rows of
// threads, across groups, in one loop.
constexpr Attribute kGroupless[] = {
    Attribute::thread_position_in_grid,
    Attribute::threads_per_grid,
    Attribute::grid_size,
    Attribute::grid_origin,
    Attribute::threads_per_simdgroup,
    Attribute::thread_execution_width,
};

bool may_fuse_groups(const Signature& signature) {
  uint32_t others = signature.attributes;
  for (Attribute attribute : kGroupless) others &= ~(1u << static_cast<int>(attribute));
  return others == 0;
}

// A value that the wrapper reads before the loop; all else is a pointer.
bool is_bound_by_value(const Parameter& parameter) {
  return parameter.is_scalar && !parameter.is_mutable;
}

// The user's two texts: what one declares counts in the other.
struct UserTexts {
  LoweredText header, body;
  PreludeParts parts;
};

// Of the header or the body, at the user's place.
tl::unexpected<Error> fail_at(const SourceError& error, const KernelDefinition& definition,
                              TextRole role) {
  return tl::unexpected(
      to_error(error, definition.name,
               role == TextRole::body ? definition.source_file : definition.header_file));
}

// `header` and `body`: tokens of the definition's texts, which the result refers to.
Result<UserTexts> lower_user_texts(const KernelDefinition& definition, const TokenList& header,
                                   const TokenList& body) {
  const Code header_code(header), body_code(body);
  OwnMembers members;
  members.add(header_code);
  members.add(body_code);
  UserTexts texts;
  std::set<std::string> swizzles;
  for (TextRole role : {TextRole::header, TextRole::body}) {
    const bool is_body = role == TextRole::body;
    const Code& code = is_body ? body_code : header_code;
    auto lowered = lower(code, is_body ? definition.source : definition.header, role, members);
    if (!lowered) return fail_at(lowered.error(), definition, role);
    swizzles.insert(lowered->swizzles.begin(), lowered->swizzles.end());
    texts.parts.add(code);
    (is_body ? texts.body : texts.header) = std::move(*lowered);
  }
  if (definition.atomic_outputs) texts.parts.add_name("atomic");
  texts.parts.add_swizzles(swizzles);
  if (const auto clash = find_clash(header_code, swizzles))
    return fail_at(*clash, definition, TextRole::header);
  if (const auto clash = find_clash(body_code, swizzles))
    return fail_at(*clash, definition, TextRole::body);
  return texts;
}

void write_function_head(TextWriter& writer, const GeneratedSource& source) {
  writer.write("SPRUE_KERNEL void {}(\n", source.entry_name);
  std::string_view separator = "";
  for (const Parameter& parameter : source.signature.parameters) {
    writer.write("{}    {}{}{} {}", separator, is_read_only(parameter) ? "const " : "",
                 element_type(parameter), parameter.is_scalar ? "&" : "*", parameter.name);
    separator = ",\n";
  }
  for (Attribute attribute : used_attributes(source.signature)) {
    const AttributeTraits& traits = attribute_traits(attribute);
    writer.write(",\n    {} {}", traits.type, traits.name);
  }
  writer.append(") {\n");
}

// Locals of the wrappers: one for each parameter, under names that no user text has.
void write_bindings(TextWriter& writer, const Signature& signature) {
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    const Parameter& parameter = signature.parameters[i];
    const std::string type = element_type(parameter);
    if (is_bound_by_value(parameter))
      writer.write(
          "  const {} sprue_argument_{} = sprue_cpu::value<{}>(sprue_launch->arguments[{}]);\n",
          type, i, type, i);
    else
      writer.write(
          "  auto* const sprue_argument_{} = "
          "sprue_cpu::buffer<{}{}>(sprue_launch->arguments[{}]);\n",
          i, is_read_only(parameter) ? "const " : "", type, i);
  }
}

void write_call(TextWriter& writer, const GeneratedSource& source,
                const std::string& template_arguments, std::string_view indent) {
  writer.write("{}{}{}(", indent, source.entry_name, template_arguments);
  std::string_view separator = "";
  for (size_t i = 0; i < source.signature.parameters.size(); ++i) {
    const Parameter& parameter = source.signature.parameters[i];
    const bool dereference = parameter.is_scalar && !is_bound_by_value(parameter);
    writer.write("{}{}sprue_argument_{}", separator, dereference ? "*" : "", i);
    separator = ", ";
  }
  for (Attribute attribute : used_attributes(source.signature))
    writer.write(", sprue_at.{}()", attribute_traits(attribute).name);
  writer.append(");\n");
}

void write_run_groups(TextWriter& writer, const GeneratedSource& source,
                      const std::string& template_arguments, bool fused) {
  writer.append(
      "\nextern \"C\" SPRUE_EXPORT void sprue_run_groups(const SprueLaunch* sprue_launch, "
      "SprueWorker* sprue_worker) {\n");
  write_bindings(writer, source.signature);
  writer.write(
      "  sprue_cpu::for_each_thread<{}>(sprue_launch, sprue_worker, [=](const auto& sprue_at) "
      "SPRUE_INLINE_LAMBDA {{\n",
      fused);
  write_call(writer, source, template_arguments, "    ");
  writer.append("  });\n}\n");
}

void write_run_thread(TextWriter& writer, const GeneratedSource& source,
                      const std::string& template_arguments) {
  writer.append(
      "\nextern \"C\" SPRUE_EXPORT void sprue_run_thread(const SprueLaunch* sprue_launch, "
      "SprueThread* sprue_thread) {\n");
  write_bindings(writer, source.signature);
  writer.append("  const sprue_cpu::CoroutinePositions sprue_at(sprue_launch, sprue_thread);\n");
  write_call(writer, source, template_arguments, "  ");
  writer.append("}\n");
}

}  // namespace

Result<GeneratedSource> generate_cpu(const KernelDefinition& definition,
                                     const Specialization& specialization) {
  GeneratedSource source;
  SPRUE_ASSIGN(source.signature, make_signature(definition, specialization));
  const TokenList header_tokens = lex(definition.header), body_tokens = lex(definition.source);
  SPRUE_ASSIGN(const UserTexts texts, lower_user_texts(definition, header_tokens, body_tokens));
  const LoweredText &header = texts.header, &body = texts.body;
  source.entry_name = entry_name(definition, specialization);
  // Fused threads of different groups would share one group's memory.
  const bool fused = may_fuse_groups(source.signature) && !header.has_threadgroup_storage &&
                     !body.has_threadgroup_storage;
  const std::string template_arguments = template_argument_list(specialization, true);

  TextWriter writer;
  writer.append(texts.parts.definitions());
  writer.append("#include \"metal_cpu.h\"\n");
  writer.append(texts.parts.swizzle_definitions());
  if (!header.text.empty()) writer.user_text(header.text, definition.header_file);
  writer.append(template_line(specialization));
  write_function_head(writer, source);
  writer.user_text(body.text, definition.source_file);
  writer.append("}\n");
  write_run_groups(writer, source, template_arguments, fused);
  write_run_thread(writer, source, template_arguments);
  source.text = writer.take();
  source.digest = digest_bytes(source.text);
  return source;
}

}  // namespace sprue
