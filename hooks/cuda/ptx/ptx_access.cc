// The memory that the kernels of a PTX text read, write and update atomically.
#include "hooks/cuda/ptx/ptx_access.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "hooks/cuda/analysis/access_collector.h"
#include "hooks/cuda/analysis/in_place.h"
#include "hooks/cuda/ptx/data_flow.h"

namespace gpusan::cuda {
namespace {

uint8_t KindOf(PtxOperation operation) {
  switch (operation) {
    case PtxOperation::kStore:
    case PtxOperation::kWriteTexels:
      return kWrites;
    case PtxOperation::kAtomic:
    case PtxOperation::kReduction:
      return kAtomics;
    default:
      return kReads;
  }
}

ViewKind ViewOf(const PtxOpcode& opcode) {
  if (opcode.operation == PtxOperation::kWriteTexels) return ViewKind::kSurface;
  if (opcode.operation != PtxOperation::kReadTexels) return ViewKind::kNone;
  return opcode.head == "suld" ? ViewKind::kSurface : ViewKind::kTexture;
}

// Bytes that one thread accesses, at most.
uint8_t WidthOf(const PtxInstruction& instruction, const PtxOpcode& opcode) {
  if (ViewOf(opcode) != ViewKind::kNone) return 1;
  if (opcode.operation != PtxOperation::kCopyToShared)
    return static_cast<uint8_t>(opcode.vector * opcode.bits / 8);
  constexpr int64_t kLongestCopy = 16;
  const bool known = instruction.operands.size() > 2 &&
                     instruction.operands[2].kind == PtxOperand::Kind::kImmediate;
  const int64_t width = known ? instruction.operands[2].immediate : kLongestCopy;
  return static_cast<uint8_t>(width > 0 && width <= kLongestCopy ? width : kLongestCopy);
}

// The number of places at which the instructions name each register.
class RegisterCounts {
 public:
  explicit RegisterCounts(const PtxKernel& kernel) : counts_(kernel.register_bits.size()) {
    for (const PtxInstruction& instruction : kernel.instructions) {
      if (instruction.guard != kNoPtxRegister) Count(instruction.guard);
      for (const PtxOperand& operand : instruction.operands) Count(operand);
    }
  }

  uint32_t Of(uint32_t reg) const { return reg < counts_.size() ? counts_[reg] : UINT32_MAX; }

 private:
  void Count(uint32_t reg) {
    if (reg < counts_.size()) ++counts_[reg];
  }
  void Count(const PtxOperand& operand) {
    if (operand.kind == PtxOperand::Kind::kRegister || operand.has_register) Count(operand.reg);
    for (const PtxOperand& part : operand.parts) Count(part);
  }

  std::vector<uint32_t> counts_;
};

// Whether the instruction changes memory and the kernel sees no old value: a reduction, or an
// atomic operation whose result nothing uses. Compilers write these for sums whose result the
// program ignores, and leave it to the driver to make reductions of them.
bool IsReduction(const PtxInstruction& instruction, const PtxOpcode& opcode,
                 const RegisterCounts& counts) {
  if (opcode.operation == PtxOperation::kReduction) return true;
  if (opcode.operation != PtxOperation::kAtomic || instruction.operands.empty() ||
      opcode.Has("exch") || opcode.Has("cas"))
    return false;
  const PtxOperand& result = instruction.operands[0];
  return result.kind == PtxOperand::Kind::kSink ||
         (result.kind == PtxOperand::Kind::kRegister && counts.Of(result.reg) == 1);
}

// Whether the instruction may read what other threads or the host write.
bool ReadsShared(const PtxOpcode& opcode) {
  switch (opcode.operation) {
    case PtxOperation::kUnknown:
    case PtxOperation::kFetch:
    case PtxOperation::kLoad:
    case PtxOperation::kAtomic:
    case PtxOperation::kCopyToShared:
    case PtxOperation::kReadTexels:
      return true;
    default:
      return false;
  }
}

// Whether the instruction lets others wait for the thread, or the thread for others. Reductions
// alone order nothing: their kernel sees no result. Fences for the threads of a block order nothing
// for others.
bool Orders(const PtxInstruction& instruction, const PtxOpcode& opcode,
            const RegisterCounts& counts) {
  const bool shared = opcode.space == PtxSpace::kShared;
  return (opcode.strong && !shared) ||
         (opcode.operation == PtxOperation::kAtomic && !shared &&
          !IsReduction(instruction, opcode, counts)) ||
         ((opcode.head == "membar" || opcode.head == "fence") && !opcode.Has("cta"));
}

// Finds whether threads may wait, and whether they may do so in a loop. A sleep waits for others
// only in a loop that also reads what others write.
void FindWaits(const PtxDataFlow& data, const PtxKernel& kernel, const RegisterCounts& counts,
               KernelAccess* access) {
  const std::vector<Block>& blocks = data.blocks();
  const auto reads_shared = [&data](const Block& block) {
    for (uint32_t i = block.first; i < block.end; ++i)
      if (ReadsShared(data.OpcodeAt(i))) return true;
    return false;
  };
  access->may_wait = access->waits_in_loop = false;
  for (uint32_t number = 0; number < blocks.size(); ++number) {
    const Block& block = blocks[number];
    bool waits = false, sleeps = false;
    for (uint32_t i = block.first; block.reachable && i < block.end; ++i) {
      waits |= Orders(kernel.instructions[i], data.OpcodeAt(i), counts);
      sleeps |= data.OpcodeAt(i).head == "nanosleep";
    }
    waits = waits || (sleeps && LoopVisits(blocks, number, reads_shared));
    if (!waits) continue;
    access->may_wait = true;
    access->waits_in_loop |= BlocksBehind(blocks, {number})[number];
  }
  access->beyond_device = access->may_wait;
}

}  // namespace

KernelAccess Summarize(const PtxModule& module, const PtxKernel& kernel) {
  KernelAccess access;
  access.failure = kernel.failure;
  if (!access.known()) return access;
  PtxDataFlow data(module, kernel);
  access.failure = data.Run();
  access.failure_offset = data.failure_offset();
  if (!access.known()) return access;
  const RegisterCounts counts(kernel);
  std::vector<InstructionAccess> found;
  const auto describe = [&](uint32_t index) {
    const PtxInstruction& instruction = kernel.instructions[index];
    const PtxOpcode& opcode = data.OpcodeAt(index);
    KernelMemoryAccess one;
    one.code_offset = instruction.offset;
    one.kind = KindOf(opcode.operation);
    one.width = WidthOf(instruction, opcode);
    one.view = ViewOf(opcode);
    one.strong = opcode.strong;
    one.update = IsReduction(instruction, opcode, counts);
    // The size of such a copy may be a register.
    one.to_shared = opcode.operation == PtxOperation::kCopyToShared;
    return one;
  };
  data.VisitAccesses(
      [&](uint32_t index, const Expression& address, const Conditions& conditions, bool always) {
        const bool predicated = kernel.instructions[index].guard != kNoPtxRegister;
        found.push_back({index, predicated, describe(index)});
        KernelMemoryAccess& one = found.back().access;
        one.always = always;
        one.address = address;
        one.guards = conditions.guards;
        one.loops = conditions.loops;
        one.guards_complete = always || conditions.complete;
      });
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.access.code_offset < b.access.code_offset;
  });
  MarkUpdates(data.blocks(), &found);
  AccessCollector collector(kernel.parameter_bytes, &access);
  for (InstructionAccess& one : found) collector.Add(std::move(one.access));
  FindWaits(data, kernel, counts, &access);
  collector.AddSure(
      std::nullopt,
      [&](PathsOf whose, const std::vector<AccessGuard>& known) {
        return data.SureAccesses(whose, known);
      },
      describe);
  collector.Finish([&](uint32_t word) { return data.VariableAt(word); });
  if (data.calls_readers()) access.unknown |= kReads;
  access.extensions = data.extensions();
  return access;
}

}  // namespace gpusan::cuda
