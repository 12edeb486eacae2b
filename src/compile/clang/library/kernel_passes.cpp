#include "kernel_passes.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/Utils/Local.h>

#include "alignment.h"
#include "analyses.h"
#include "convergence.h"
#include "coroutine.h"
#include "names.h"
#include "pointer_constants.h"
#include "program/cpu_abi.h"
#include "thread_loop.h"

using namespace llvm;

namespace sprue_clang {

namespace {

bool is_entry(const Function& function) {
  return function.getName() == kRunGroups || function.getName() == kRunThread;
}

void inline_everything(Module& module) {
  for (Function& function : module) {
    if (function.isDeclaration() || is_entry(function)) continue;
    function.removeFnAttr(Attribute::NoInline);
    function.removeFnAttr(Attribute::OptimizeNone);
    function.addFnAttr(Attribute::AlwaysInline);
    function.setLinkage(GlobalValue::InternalLinkage);
    function.setComdat(nullptr);
  }
  PassBuilder builder;
  Analyses analyses(builder);
  AlwaysInlinerPass().run(module, analyses.modules);
}

// A function that is still called could not be inlined. Metal has neither recursion nor calls through
// pointers, so this is an error that names the function, not a slower path.
std::string find_call_left(Module& module) {
  for (Function& function : module)
    for (Instruction& instruction : instructions(function)) {
      auto* call = dyn_cast<CallBase>(&instruction);
      if (!call || call->isInlineAsm()) continue;
      const Function* callee = call->getCalledFunction();
      if (!callee) return "a kernel can't call through a function pointer";
      if (!callee->isDeclaration())
        return "'" + demangle(callee->getName()) + "' calls itself; a kernel can't use recursion";
    }
  return "";
}

// The variables of the arena, the launch's own memory last: each `extern __shared__` array becomes it.
std::string find_threadgroup_storage(Module& module, std::vector<GlobalVariable*>& variables) {
  GlobalVariable* dynamic = module.getNamedGlobal(kDynamicShared);
  for (GlobalVariable& variable : make_early_inc_range(module.globals())) {
    if (variable.getSection() != kThreadgroupSection || &variable == dynamic) continue;
    if (!variable.isDeclaration()) {
      variables.push_back(&variable);
      continue;
    }
    if (!dynamic)
      return "'" + demangle(variable.getName()) + "' is an extern __shared__ array of a kernel " +
             "without dynamic shared memory";
    dynamic->setAlignment(
        std::max(dynamic->getAlign().valueOrOne(), variable.getAlign().valueOrOne()));
    variable.replaceAllUsesWith(dynamic);
    variable.eraseFromParent();
  }
  if (dynamic) variables.push_back(dynamic);
  return "";
}

// Gives every threadgroup variable its place in the arena, and replaces its uses in `function` by
// addresses relative to `arena`.
std::string place_threadgroup_storage(Module& module, Function& function, Value* arena,
                                      const SharedMemory& memory, uint64_t& arena_bytes) {
  arena_bytes = 0;
  std::vector<GlobalVariable*> variables;
  if (std::string error = find_threadgroup_storage(module, variables); !error.empty()) return error;
  const std::string kind = std::string(memory.word) + " variable '";
  for (GlobalVariable* variable : variables) {
    if (!variable->hasInitializer() ||
        !(variable->getInitializer()->isNullValue() || isa<UndefValue>(variable->getInitializer())))
      return kind + demangle(variable->getName()) + "' has an initialiser; " + memory.word +
             " memory starts undefined";
    unfold_pointer_constants(*variable, *cast<Instruction>(arena));
    convertUsersOfConstantsToInstructions(variable);
    bool used = false;
    const Align alignment = std::max(variable->getAlign().valueOrOne(), Align(16));
    const uint64_t offset = alignTo(arena_bytes, alignment);
    SmallVector<Use*, 16> uses;
    for (Use& use : variable->uses()) uses.push_back(&use);
    for (Use* use : uses) {
      auto* user = dyn_cast<Instruction>(use->getUser());
      if (!user || user->getFunction() != &function)
        return kind + demangle(variable->getName()) + "' is used outside of the kernel's own code";
      used = true;
      // Computed where the arena is known; the optimiser moves it where it is needed.
      Instruction* after = cast<Instruction>(arena)->getNextNode();
      IRBuilder<> builder(after);
      use->set(builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), arena, offset));
    }
    if (used)
      arena_bytes = offset + module.getDataLayout().getTypeAllocSize(variable->getValueType());
    if (variable->use_empty()) variable->eraseFromParent();
  }
  if (arena_bytes > memory.limit)
    return "the kernel uses " + std::to_string(arena_bytes) + " bytes of " + memory.word +
           " memory, more than the limit of " + std::to_string(memory.limit);
  return "";
}

// A variable of the whole program that changes would be one for all threads, and Metal has none.
std::string find_program_variable(Module& module) {
  for (GlobalVariable& variable : module.globals())
    if (!variable.isConstant() && !variable.use_empty() &&
        variable.getSection() != kThreadgroupSection && !variable.getName().starts_with("llvm."))
      return "'" + demangle(variable.getName()) +
             "' is a static or global variable that isn't constant; a kernel can't use one";
  return "";
}

Value* load_field(IRBuilder<>& builder, Value* base, uint64_t offset) {
  Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
  return builder.CreateLoad(builder.getPtrTy(), address);
}

// The arena pointer, loaded at the top of an entry function.
Value* load_arena(Function& function, bool coroutine) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  Value* second = function.getArg(1);
  if (!coroutine) return load_field(builder, second, offsetof(SprueWorker, arena));
  Value* group = load_field(builder, second, offsetof(SprueThread, group));
  return load_field(builder, group, offsetof(SprueGroup, arena));
}

bool asks_for_thread(Function& thread_function) {
  const Function* marker = thread_function.getParent()->getFunction(kThreadMarker);
  return marker && any_of(marker->users(), [&](const User* user) {
           return cast<Instruction>(user)->getFunction() == &thread_function;
         });
}

void replace_thread_markers(Module& module, Function& thread_function) {
  Function* marker = module.getFunction(kThreadMarker);
  if (!marker) return;
  for (User* user : make_early_inc_range(marker->users())) {
    auto* call = cast<CallInst>(user);
    call->replaceAllUsesWith(thread_function.getArg(1));
    call->eraseFromParent();
  }
}

void erase(Module& module, const char* name) {
  if (Function* function = module.getFunction(name)) function->eraseFromParent();
}

}  // namespace

std::string lower_kernel(Module& module, KernelShape& shape, unsigned interleave,
                         const SharedMemory& memory) {
  Function* groups = module.getFunction(kRunGroups);
  Function* thread = module.getFunction(kRunThread);
  if (!groups || !thread) return "the generated text lacks an entry function";
  inline_everything(module);
  if (std::string error = find_call_left(module); !error.empty()) return error;

  if (std::string error = find_program_variable(module); !error.empty()) return error;

  removeUnreachableBlocks(*thread);  // waits there aren't waits
  converge_loops(*thread);
  // A thread that asks for its lane needs one, even if it never waits.
  const bool waits = number_sites(*thread);
  shape.coroutine = waits || asks_for_thread(*thread);
  erase(module, shape.coroutine ? kRunGroups : kRunThread);
  Function& entry = shape.coroutine ? *thread : *groups;
  forget_alignment(entry);
  if (shape.coroutine) replace_thread_markers(module, entry);
  if (std::string error = place_threadgroup_storage(
          module, entry, load_arena(entry, shape.coroutine), memory, shape.arena_bytes);
      !error.empty())
    return error;
  if (shape.coroutine)
    make_coroutine(entry);
  else
    annotate_thread_loop(entry, interleave);
  return "";
}

void add_kernel_info(Module& module, const KernelShape& shape, unsigned parameter_count) {
  uint64_t frame_bytes = 0;
  if (shape.coroutine) frame_bytes = coroutine_frame_bytes(module);
  LLVMContext& context = module.getContext();
  Type* word = Type::getInt32Ty(context);
  Type* wide = Type::getInt64Ty(context);
  auto* type = StructType::get(context, {word, word, wide, wide, word, word});
  auto* value = ConstantStruct::get(
      type, {ConstantInt::get(word, SPRUE_CPU_ABI_VERSION),
             ConstantInt::get(word, shape.coroutine ? kSprueCoroutineMode : kSprueLoopMode),
             ConstantInt::get(wide, frame_bytes), ConstantInt::get(wide, shape.arena_bytes),
             ConstantInt::get(word, parameter_count), ConstantInt::get(word, 0)});
  new GlobalVariable(module, type, true, GlobalValue::ExternalLinkage, value, kKernelInfo);
}

}  // namespace sprue_clang
