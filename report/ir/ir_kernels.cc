// Finds the accesses of kernels through their parameters in LLVM IR.
#include "report/ir/ir_kernels.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "report/ir/ir_builtins.h"
#include "report/ir/ir_formulas.h"
#include "report/ir/ir_in_place.h"
#include "report/ir/ir_neighbours.h"
#include "report/ir/ir_places.h"
#include "report/ir/ir_pointers.h"
#include "report/ir/ir_texels.h"
#include "report/ir/ir_text.h"
#include "tracker/model/texel_access.h"

namespace gpusan {
namespace {

using Kind = SummaryAccess::Kind;

constexpr size_t kMaxAccesses = 128;
constexpr uint64_t kMaxAccessBytes = 1 << 20;
constexpr size_t kMaxInstructions = 200000;
constexpr size_t kMaxTracked = 4096;

// The address spaces of SPIR.
enum Space : uint32_t { kPrivate = 0, kGlobal = 1, kConstant = 2, kLocal = 3, kGeneric = 4 };

// Memory of other work items and kernels, which a program passes to a kernel.
bool IsShared(uint32_t space) { return space != kPrivate && space != kLocal; }

// Memory whose size the program sets by the argument.
bool IsArgument(uint32_t space) { return space != kPrivate; }

struct CallText {
  std::string_view function;  // without '@'; empty: not a direct call
  std::vector<IrOperand> arguments;
  bool understood = false;
};

// The memory that a pointer may point into.
struct Targets {
  std::set<size_t> parameters;
  bool unknown = false;

  bool Join(const Targets& other) {
    const size_t before = parameters.size();
    const bool was_unknown = unknown;
    parameters.insert(other.parameters.begin(), other.parameters.end());
    unknown |= other.unknown;
    return parameters.size() != before || unknown != was_unknown;
  }
};

class KernelReader {
 public:
  KernelReader(IrModule& module, const IrFunction& function)
      : module_(module),
        function_(function),
        formulas_(module, function),
        places_(module, function, formulas_) {}

  KernelSummary Read() {
    summary_.name = std::string(function_.name);
    const size_t count = function_.parameters.size();
    summary_.parameters.resize(count);
    if (function_.instructions.size() > kMaxInstructions) return summary_;
    // The variables in local memory follow the parameters.
    summary_.parameters.resize(count + module_.locals().size());
    escaped_.resize(summary_.parameters.size());
    FindTargets();
    for (const IrInstruction& instruction : function_.instructions) {
      if (!gave_up_) Visit(instruction);
    }
    FinishLocals(count);
    for (size_t i = 0; i < count; ++i) Finish(i);
    in_place_.AddTo(formulas_, &updates_);
    if (!updates_.empty()) AddUpdates();
    summary_.derived = formulas_.derived();
    return std::move(summary_);
  }

 private:
  std::vector<std::string_view> Sources(const IrInstruction& instruction) {
    return PassedPointers(module_, instruction, &gave_up_);
  }

  void FindTargets() {
    for (size_t i = 0; i < function_.parameters.size(); ++i) {
      const IrParameter& parameter = function_.parameters[i];
      const IrType& type = *parameter.type;
      if (type.kind == IrType::Kind::kTarget ||
          (type.kind == IrType::Kind::kPointer && IsArgument(type.space)))
        targets_[parameter.name].parameters.insert(i);
    }
    struct Flow {
      std::string_view result;
      std::vector<std::string_view> sources;
    };
    std::vector<Flow> flows;
    for (const IrInstruction& instruction : function_.instructions) {
      if (instruction.result.empty()) continue;
      if (PassesPointer(instruction.op)) {
        flows.push_back({instruction.result, Sources(instruction)});
      } else if (instruction.op != "alloca") {
        targets_[instruction.result].unknown = true;
      }
    }
    for (bool changed = true; changed && !gave_up_;) {
      changed = false;
      for (const Flow& flow : flows) {
        for (const std::string_view source : flow.sources)
          changed |= targets_[flow.result].Join(TargetsOf(source));
      }
      if (targets_.size() > kMaxInstructions) gave_up_ = true;
    }
  }

  Targets TargetsOf(std::string_view value) const {
    if (!value.empty() && value[0] == '%') {
      const auto it = targets_.find(value);
      return it != targets_.end() ? it->second : Targets{};
    }
    Targets constant;
    constant.unknown = value.find("inttoptr") != std::string_view::npos;
    for (size_t at = value.find('@'); at != std::string_view::npos; at = value.find('@', at + 1)) {
      IrCursor cursor(value.substr(at));
      if (const std::optional<size_t> local = places_.LocalOf(cursor.Value()))
        constant.parameters.insert(*local);
    }
    return constant;
  }

  // --- Accesses

  // An access of unknown bytes under these conditions of a block. The loops have the numbers of the
  // function.
  static SummaryAccess Conditional(Kind kind, const IrFormulas::Conditions& conditions) {
    SummaryAccess access;
    access.kind = kind;
    access.guarded = conditions.known;
    access.guards = conditions.guards;
    access.fits = conditions.fits;
    return access;
  }

  // Sets the bytes of the access if the offset of the pointer is a formula. `bytes` of 0: not
  // known. `shift`, if given, is added to the offset.
  void Locate(std::string_view pointer, size_t parameter, uint64_t bytes, const IrFormula* shift,
              SummaryAccess* access) {
    std::optional<IrPlaces::Place> place = places_.Of(pointer);
    if (!place || bytes == 0 || bytes > kMaxAccessBytes || place->parameter != parameter) return;
    if (shift != nullptr) {
      if (!AddTo(place->offset.value, shift->value, 1)) return;
      place->offset.fits.insert(place->offset.fits.end(), shift->fits.begin(), shift->fits.end());
    }
    access->ranged = true;
    access->bytes = static_cast<uint32_t>(bytes);
    access->offset = place->offset.value;
    access->offset_fits = place->offset.fits;
  }

  // Appends an access for each value that the address may have, by conditions that are known.
  // Returns false if there are no such values, or if they are too many. `access`: under the
  // conditions of the block.
  bool Divide(std::string_view pointer, size_t parameter, uint64_t bytes, uint32_t block,
              const SummaryAccess& access, int depth, std::vector<SummaryAccess>* divided) {
    constexpr int kMaxDepth = 3;
    SummaryAccess located = access;
    Locate(pointer, parameter, bytes, nullptr, &located);
    if (located.ranged) {
      divided->push_back(std::move(located));
      return divided->size() <= 8;
    }
    if (depth == kMaxDepth) return false;
    const auto alternatives = formulas_.AlternativesOf(pointer, block);
    for (const IrFormulas::Alternative& one : alternatives) {
      SummaryAccess under = access;
      if (depth == 0 && one.block == block) {
        under = Conditional(access.kind, one.conditions);
      } else {
        under.guards.insert(under.guards.end(), one.conditions.guards.begin(),
                            one.conditions.guards.end());
        under.fits.insert(under.fits.end(), one.conditions.fits.begin(), one.conditions.fits.end());
      }
      formulas_.Assume(one);
      const bool known = Divide(pointer, parameter, bytes, block, under, depth + 1, divided);
      formulas_.Withdraw();
      if (!known) return false;
    }
    return !alternatives.empty();
  }

  // Keeps the accesses of Divide instead of one whose bytes are not known.
  bool KeepDivided(std::string_view pointer, size_t parameter, uint64_t bytes, uint32_t block,
                   Kind kind) {
    constexpr int kMaxDivided = 32;
    std::vector<SummaryAccess> accesses;
    if (bytes == 0 || divided_ >= kMaxDivided ||
        !Divide(pointer, parameter, bytes, block, Conditional(kind, formulas_.Of(block)), 0,
                &accesses))
      return false;
    ++divided_;
    for (SummaryAccess& access : accesses) {
      Number(block, -1, &access);
      Keep(parameter, std::move(access));
    }
    return true;
  }

  // Replaces the numbers of loops and parts in an access in `block`. `own_loop`: of the access
  // alone; -1: there is none.
  void Number(uint32_t block, int own_loop, SummaryAccess* access) {
    access->offset = formulas_.Canonical(std::move(access->offset));
    for (SummaryGuard& guard : access->guards)
      guard.value = formulas_.Canonical(std::move(guard.value));
    for (auto* const fits : {&access->fits, &access->offset_fits}) {
      for (SummaryFit& fit : *fits) fit.value = formulas_.Canonical(std::move(fit.value));
    }
    NumberLoops([&](int loop) { return loop == own_loop || formulas_.IsInLoop(loop, block); },
                access, formulas_.parts());
  }

  // An access to this number of bytes; nullopt: not known.
  void AddBlock(const IrOperand& pointer, Kind kind, const std::optional<IrFormula>& bytes,
                uint32_t block) {
    const std::optional<int64_t> number = bytes ? ConstantOf(bytes->value) : std::nullopt;
    const std::optional<int> loop = formulas_.FreeLoop();
    if (number || !bytes || !loop) {
      const bool known = number && *number > 0;
      AddAccess(pointer.value, pointer.type, kind, known ? static_cast<uint64_t>(*number) : 0,
                block);
      return;
    }
    // One access for each of its elements.
    const int64_t unit = int64_t{1} << std::min(ZeroBits(bytes->value), 4);
    const SummaryFormula element = SymbolFormula(kLoop + *loop);
    IrFormula shift;
    shift.value = *Add({}, element, unit);
    SummaryFormula count = bytes->value;
    for (SummaryTerm& term : count) term.factor /= unit;
    const std::optional<SummaryFormula> left = Add(element, count, -1);
    OwnLoop own{*loop, {}, bytes->fits};
    if (left) own.condition.value = *left;
    own.fits.push_back({bytes->value, 64, true});
    AddAccess(pointer.value, pointer.type, kind, left ? static_cast<uint64_t>(unit) : 0, block,
              &shift, false, &own);
  }

  // A loop of one access alone.
  struct OwnLoop {
    int number;
    SummaryGuard condition;
    std::vector<SummaryFit> fits;
  };

  // `bytes` and `shift` are those of Locate.
  void AddAccess(std::string_view pointer, const IrType* type, Kind kind, uint64_t bytes,
                 uint32_t block, const IrFormula* shift = nullptr, bool update = false,
                 const OwnLoop* own = nullptr) {
    const Targets targets = TargetsOf(pointer);
    const uint32_t space = type->kind == IrType::Kind::kPointer ? type->space : kGeneric;
    if (targets.unknown && IsShared(space) && kind != Kind::kRead) {
      // It may write the memory of any parameter.
      gave_up_ = true;
      return;
    }
    if (targets.parameters.size() > 1 || (targets.unknown && !targets.parameters.empty())) {
      Escape(targets);
      return;
    }
    if (targets.parameters.empty()) return;
    const size_t parameter = *targets.parameters.begin();
    SummaryAccess access = Conditional(kind, formulas_.Of(block));
    if (own != nullptr) {
      access.guards.push_back(own->condition);
      access.fits.insert(access.fits.end(), own->fits.begin(), own->fits.end());
    }
    Locate(pointer, parameter, bytes, shift, &access);
    Number(block, own != nullptr ? own->number : -1, &access);
    if (kind == Kind::kAtomic && !update) otherwise_.insert(parameter);
    if (kind != Kind::kAtomic && IsShared(space))
      in_place_.Add(parameter,
                    {access, shift == nullptr ? pointer : "", own == nullptr ? bytes : 0, block});
    if (update && IsShared(space) && updates_[parameter].size() < kMaxAccesses) {
      SummaryAccess& read = updates_[parameter].emplace_back(access);
      read.kind = Kind::kRead;
    }
    const bool is_certain = access.guarded && access.ranged;
    if (access.ranged || shift != nullptr || !KeepDivided(pointer, parameter, bytes, block, kind))
      Keep(parameter, std::move(access));
    if (shift == nullptr) AddCertain(pointer, parameter, bytes, block, kind, is_certain);
  }

  // Adds a part of the access whose bytes are known where those of the access are not: that of the
  // first iteration of a loop, or that with an unsigned integer that fell below 0. `is_certain`:
  // the bytes and conditions of the access have formulas.
  void AddCertain(std::string_view pointer, size_t parameter, uint64_t bytes, uint32_t block,
                  Kind kind, bool is_certain) {
    constexpr int kMaxCertain = 32;
    if (bytes == 0 || certain_ >= kMaxCertain) return;
    const auto add = [&](SummaryAccess one) {
      if (one.guarded) Locate(pointer, parameter, bytes, nullptr, &one);
      if (!one.ranged) return;
      Number(block, -1, &one);
      if (!one.ranged || !one.guarded) return;
      ++certain_;
      Keep(parameter, std::move(one));
    };
    if (!is_certain) {
      if (!formulas_.AssumeFirst(block)) return;
      add(Conditional(kind, formulas_.Of(block)));
      formulas_.WithdrawFirst();
      return;
    }
    const IrFormulas::Conditions wrapped = formulas_.AssumeWrapped(pointer);
    if (!wrapped.known) return;
    SummaryAccess one = Conditional(kind, formulas_.Of(block));
    one.guards.insert(one.guards.end(), wrapped.guards.begin(), wrapped.guards.end());
    one.fits.insert(one.fits.end(), wrapped.fits.begin(), wrapped.fits.end());
    add(std::move(one));
    formulas_.WithdrawWrapped();
  }

  // A second parameter for each holds its updates (tracker/calls/launch_updates.h).
  void AddUpdates() {
    const size_t count = function_.parameters.size();
    summary_.parameters.resize(2 * count);
    for (auto& [parameter, accesses] : updates_) {
      ParameterSummary& updates = summary_.parameters[count + parameter];
      updates.known = summary_.parameters[parameter].known && otherwise_.count(parameter) == 0;
      if (updates.known) updates.accesses = std::move(accesses);
    }
  }

  void Keep(size_t parameter, SummaryAccess access) {
    std::vector<SummaryAccess>& accesses = summary_.parameters[parameter].accesses;
    const auto same = [&](const SummaryAccess& other) {
      return other.kind == access.kind && other.ranged == access.ranged &&
             other.bytes == access.bytes && other.offset == access.offset &&
             SameGuards(other, access) && other.fits.size() == access.fits.size() &&
             other.offset_fits.size() == access.offset_fits.size();
    };
    if (std::any_of(accesses.begin(), accesses.end(), same)) return;
    if (accesses.size() >= kMaxAccesses) {
      // One access of any bytes, under any condition, stands for all further ones.
      const Kind kind = access.kind;
      access = {};
      access.kind = kind;
      if (std::any_of(accesses.begin(), accesses.end(), same)) return;
    }
    accesses.push_back(std::move(access));
  }

  void Escape(const Targets& targets) {
    for (const size_t parameter : targets.parameters) escaped_[parameter] = true;
  }

  // Any use of pointers in a text that is not understood.
  void EscapeAll(std::string_view text) {
    for (const std::string_view name : LocalNames(text)) Escape(TargetsOf(name));
  }

  void Visit(const IrInstruction& instruction) {
    const std::string_view op = instruction.op;
    if (PassesPointer(op) || op == "icmp" || op == "br") return;
    if (op == "call") return VisitCall(instruction);
    IrCursor cursor(instruction.rest);
    if (op == "load" || op == "store") {
      const bool atomic = cursor.Take("atomic");
      const bool special = cursor.Take("volatile") || atomic;
      const IrType* type = module_.Type(cursor);
      if (op == "store") EscapeAll(cursor.Value());
      if (!cursor.Take(",")) cursor.Fail();
      const IrType* pointer_type = module_.Type(cursor);
      const std::string_view pointer = cursor.Value();
      if (cursor.failed()) {
        gave_up_ = true;
        return;
      }
      AddAccess(pointer, pointer_type,
                special        ? Kind::kAtomic
                : op == "load" ? Kind::kRead
                               : Kind::kWrite,
                type->stored, instruction.block);
    } else if (op == "atomicrmw" || op == "cmpxchg") {
      cursor.Take("weak");
      cursor.Take("volatile");
      const bool update = op == "atomicrmw" && cursor.Word() != "xchg";
      const IrType* pointer_type = module_.Type(cursor);
      const std::string_view pointer = cursor.Value();
      if (!cursor.Take(",")) cursor.Fail();
      const IrType* type = module_.Type(cursor);
      if (cursor.failed()) {
        gave_up_ = true;
        return;
      }
      EscapeAll(cursor.rest());
      AddAccess(pointer, pointer_type, Kind::kAtomic, type->stored, instruction.block, nullptr,
                update);
    } else {
      EscapeAll(instruction.rest);
    }
  }

  CallText ReadCall(const IrInstruction& instruction) {
    CallText call;
    IrCursor cursor(instruction.rest);
    cursor.SkipAttributes();
    module_.Type(cursor);
    const std::string_view function = cursor.Value();
    if (cursor.failed() || function.empty() || function[0] != '@' || !cursor.Take("(")) return call;
    while (!cursor.Take(")")) {
      if (!call.arguments.empty() && !cursor.Take(",")) return call;
      IrOperand argument;
      argument.type = module_.Type(cursor);
      cursor.SkipAttributes();
      argument.value = cursor.Value();
      if (cursor.failed()) return call;
      call.arguments.push_back(argument);
    }
    call.function = function.substr(1);
    call.understood = true;
    return call;
  }

  void VisitCall(const IrInstruction& instruction) {
    if (instruction.rest.find("@llvm.dbg.") != std::string_view::npos ||
        instruction.rest.find("@llvm.lifetime.") != std::string_view::npos ||
        instruction.rest.find("@llvm.assume") != std::string_view::npos ||
        instruction.rest.find("@llvm.experimental.noalias.scope.decl") != std::string_view::npos)
      return;
    const CallText call = ReadCall(instruction);
    const uint32_t block = instruction.block;
    if (!call.understood) {
      gave_up_ = true;
      return;
    }
    const std::vector<IrOperand>& arguments = call.arguments;
    if (call.function.starts_with("llvm.mem") && arguments.size() >= 2) {
      const bool copy = !call.function.starts_with("llvm.memset");
      if (arguments.size() < 3 || arguments[2].type->kind != IrType::Kind::kInteger) {
        gave_up_ = true;
        return;
      }
      const auto bytes = formulas_.Of(arguments[2].value, arguments[2].type->bits);
      if (copy) AddBlock(arguments[1], Kind::kRead, bytes, block);
      AddBlock(arguments[0], Kind::kWrite, bytes, block);
      return;
    }
    if (call.function.starts_with("llvm.") || call.function == "printf") {
      for (const IrOperand& argument : arguments) EscapeAll(argument.value);
      return;
    }
    if (call.function == "__translate_sampler_initializer") return;  // of a constant sampler
    std::string_view rest;
    const std::string_view name = BuiltinName(call.function, &rest);
    // A function without body that is not one of OpenCL C may do anything, also through pointers
    // that an earlier kernel has stored.
    if (name.empty() || HasBody(call.function)) {
      gave_up_ = true;
      return;
    }
    VisitBuiltin(call, name, rest, block);
  }

  void VisitBuiltin(const CallText& call, std::string_view name, std::string_view rest,
                    uint32_t block) {
    const std::vector<IrOperand>& arguments = call.arguments;
    size_t first = 0;  // the first argument that is not handled here
    if ((name.starts_with("atomic_") || name.starts_with("atom_")) && !arguments.empty() &&
        name != "atomic_work_item_fence" && name != "atomic_init") {
      AddAccess(arguments[0].value, arguments[0].type, Kind::kAtomic, AtomicBytes(rest), block,
                nullptr, IsUpdate(name));
      first = 1;
    } else if (name.starts_with("vload_half") || name.starts_with("vloada_half")) {
      if (arguments.size() == 2) {
        AddVector(HalvesOf(name), rest, arguments[0], arguments[1], Kind::kRead, block);
        first = 2;
      }
    } else if (name.starts_with("vstore_half") || name.starts_with("vstorea_half")) {
      if (arguments.size() == 3) {
        AddVector(HalvesOf(name), rest, arguments[1], arguments[2], Kind::kWrite, block);
        first = 3;
      }
    } else if (name.starts_with("vload") && arguments.size() == 2) {
      AddVector(name.substr(5), rest, arguments[0], arguments[1], Kind::kRead, block);
      first = 2;
    } else if (name.starts_with("vstore") && arguments.size() == 3) {
      AddVector(name.substr(6), rest, arguments[1], arguments[2], Kind::kWrite, block);
      first = 3;
    } else if ((name == "async_work_group_copy" || name == "async_work_group_strided_copy") &&
               arguments.size() >= 2) {
      std::optional<IrFormula> bytes;
      if (name == "async_work_group_copy") bytes = CopiedBytes(rest, arguments);
      AddBlock(arguments[0], Kind::kWrite, bytes, block);
      AddBlock(arguments[1], Kind::kRead, bytes, block);
      first = 2;
    } else if (name == "prefetch") {
      return;
    } else if (!arguments.empty()) {
      AddTexels(name, rest, arguments, block);
    }
    for (size_t i = first; i < arguments.size(); ++i) EscapeAll(arguments[i].value);
  }

  // `name` may be that of a function that reads or writes texels of the first argument.
  void AddTexels(std::string_view name, std::string_view rest,
                 const std::vector<IrOperand>& arguments, uint32_t block) {
    std::optional<IrTexelCall> call =
        TexelCallOf(module_, function_, formulas_, name, rest, arguments);
    if (!call) return;
    const Targets targets = TargetsOf(arguments[0].value);
    if (targets.unknown || targets.parameters.size() != 1) return;
    const size_t parameter = *targets.parameters.begin();
    bool added = false;
    for (uint32_t i = 0; i < call->coordinates.size(); ++i) {
      if (!call->coordinates[i]) continue;
      call->texel.dimension = i;
      added |= AddTexel(parameter, *call, &*call->coordinates[i], block);
    }
    call->texel.dimension.reset();
    if (!added) AddTexel(parameter, *call, nullptr, block);
  }

  // Returns false if the parameter has too many accesses.
  bool AddTexel(size_t parameter, const IrTexelCall& call, const IrFormula* coordinate,
                uint32_t block) {
    std::vector<SummaryAccess>& texels = texels_[parameter];
    if (texels.size() >= kMaxAccesses) return false;
    SummaryAccess access = Conditional(call.kind, formulas_.Of(block));
    SetTexelAccess(call.texel, &access);
    if (coordinate != nullptr) {
      access.offset = coordinate->value;
      access.offset_fits = coordinate->fits;
      access.offset_fits.push_back({coordinate->value, 32, true});
    }
    Number(block, -1, &access);
    texels.push_back(std::move(access));
    return true;
  }

  // The bytes that async_work_group_copy copies; nullopt: not known. `rest` is the mangled type of
  // its parameters: two pointers to one type, a number of elements, and an event.
  std::optional<IrFormula> CopiedBytes(std::string_view rest,
                                       const std::vector<IrOperand>& arguments) {
    const size_t second = rest.find('P', 1);
    if (arguments.size() < 3 || !rest.starts_with("P") || second == std::string_view::npos)
      return std::nullopt;
    const auto element = static_cast<int64_t>(AtomicBytes(rest.substr(0, second)));
    std::optional<IrFormula> bytes = formulas_.Of(arguments[2].value, arguments[2].type->bits);
    const auto scaled = bytes ? Add({}, bytes->value, element) : std::nullopt;
    if (element == 0 || !scaled) return std::nullopt;
    bytes->value = *scaled;
    return bytes;
  }

  // The number of elements in a name such as vstore_half4_rtz; empty: not known.
  static std::string_view HalvesOf(std::string_view name) {
    const bool aligned = name.starts_with("vloada") || name.starts_with("vstorea");
    name.remove_prefix(std::min(name.size(), name.find("half") + 4));
    name = name.substr(0, name.find('_'));
    // Three aligned elements have the distance of four.
    return name.empty() ? "1" : aligned && name == "3" ? "" : name;
  }

  // vloadN and vstoreN access N elements at N times the offset.
  void AddVector(std::string_view count, std::string_view rest, const IrOperand& offset,
                 const IrOperand& pointer, Kind kind, uint32_t block) {
    const uint64_t elements = count == "1"    ? 1
                              : count == "2"  ? 2
                              : count == "3"  ? 3
                              : count == "4"  ? 4
                              : count == "8"  ? 8
                              : count == "16" ? 16
                                              : 0;
    const uint64_t bytes = elements * MangledBytes(rest);
    std::optional<IrFormula> shift;
    if (bytes != 0 && offset.type->kind == IrType::Kind::kInteger)
      shift = formulas_.Of(offset.value, offset.type->bits);
    if (shift) {
      const std::optional<SummaryFormula> scaled =
          Add({}, shift->value, static_cast<int64_t>(bytes));
      if (scaled) {
        shift->value = *scaled;
      } else {
        shift.reset();
      }
    }
    AddAccess(pointer.value, pointer.type, kind, shift ? bytes : 0, block,
              shift ? &*shift : nullptr);
  }

  bool HasBody(std::string_view name) const {
    for (const IrFunction& function : module_.functions()) {
      if (function.name == name) return true;
    }
    return false;
  }

  // Moves the accesses to local memory out of the parameters, of which `count` remain.
  void FinishLocals(size_t count) {
    for (size_t i = 0; i < module_.locals().size(); ++i) {
      ParameterSummary& parameter = summary_.parameters[count + i];
      if (gave_up_ || parameter.accesses.empty()) continue;
      const IrGlobal& local = module_.locals()[i];
      LocalArraySummary& array = summary_.local_arrays.emplace_back();
      std::string_view name = local.name.substr(1);
      // Clang puts the name of the function in front.
      if (name.starts_with(function_.name) && name.substr(function_.name.size()).starts_with("."))
        name.remove_prefix(function_.name.size() + 1);
      array.name = std::string(name);
      array.bytes = local.type->bytes;
      array.accesses = std::move(parameter.accesses);
    }
    summary_.parameters.resize(count);
  }

  void Finish(size_t index) {
    ParameterSummary& parameter = summary_.parameters[index];
    const IrParameter& declared = function_.parameters[index];
    parameter.value_bytes = ValueBytes(module_, declared);
    parameter.known = false;
    const std::string attributes = " " + std::string(declared.attributes) + " ";
    const auto has = [&](const char* word) {
      return attributes.find(" " + std::string(word) + " ") != std::string::npos;
    };
    // LLVM marks what the kernel does not use. Built-in functions access images.
    if (!gave_up_ && declared.type->kind == IrType::Kind::kPointer && IsOpaque(*declared.type) &&
        has("readnone")) {
      parameter.known = true;
      parameter.accesses.clear();
    } else if (gave_up_ || declared.type->kind != IrType::Kind::kPointer ||
               !IsArgument(declared.type->space) || IsOpaque(*declared.type)) {
      parameter.accesses = std::move(texels_[index]);
    } else if (!escaped_[index]) {
      parameter.known = true;
      JoinNeighbours(&parameter.accesses);
    } else {
      // LLVM may still know the direction.
      parameter.accesses.clear();
      parameter.known = has("readnone") || has("readonly") || has("writeonly");
      if (has("readnone") || !parameter.known) return;
      SummaryAccess access;
      access.kind = has("readonly") ? Kind::kRead : Kind::kWrite;
      parameter.accesses.push_back(std::move(access));
    }
  }

  // Images, samplers and pipes.
  static bool IsOpaque(const IrType& pointer) {
    return !pointer.elements.empty() && pointer.elements[0]->kind == IrType::Kind::kOther;
  }

  IrModule& module_;
  const IrFunction& function_;
  IrFormulas formulas_;
  IrPlaces places_;
  KernelSummary summary_;
  InPlaceUpdates in_place_;
  std::map<size_t, std::vector<SummaryAccess>> updates_;  // by parameter (launch_updates.h)
  std::map<size_t, std::vector<SummaryAccess>> texels_;   // by parameter (texel_access.h)
  // Parameters with other atomic or volatile accesses, which may be the first to write.
  std::set<size_t> otherwise_;
  std::map<std::string_view, Targets> targets_;
  std::vector<bool> escaped_;
  int divided_ = 0;  // accesses that Divide has divided
  int certain_ = 0;  // accesses that AddCertain has added
  // Something in the kernel may access the memory of any parameter.
  bool gave_up_ = false;
};

}  // namespace

std::vector<KernelSummary> SummarizeIr(std::string_view ir) {
  IrModule module(ir);
  std::vector<KernelSummary> summaries;
  for (const IrFunction& function : module.functions()) {
    if (function.is_kernel && function.parameters.size() <= kMaxTracked)
      summaries.push_back(KernelReader(module, function).Read());
  }
  return summaries;
}

}  // namespace gpusan
