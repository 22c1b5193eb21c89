// Which memory a kernel reads, writes and changes atomically, derived from its machine code.
#include "hooks/cuda/machine_code/kernel_access.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "hooks/cuda/machine_code/control_flow.h"
#include "hooks/cuda/machine_code/data_flow.h"

namespace gpusan::cuda {
namespace {

constexpr size_t kMaxAccesses = 1024;

uint8_t KindOf(Operation operation) {
  switch (operation) {
    case Operation::kStore:
      return kWrites;
    case Operation::kAtomic:
    case Operation::kReduction:
      return kAtomics;
    default:
      return kReads;
  }
}

class Collector {
 public:
  Collector(const CubinKernel& kernel, const ControlFlow& flow, KernelAccess* out)
      : kernel_(kernel), flow_(flow), out_(*out), always_(flow.instructions.size()) {
    for (const Block& block : flow.blocks) {
      for (uint32_t i = block.first; i < block.end; ++i) always_[i] = block.always;
    }
  }

  void Visit(uint32_t index, const Expression& address, const Conditions& conditions) {
    const Instruction& instruction = flow_.instructions[index];
    const uint8_t kind = KindOf(instruction.operation);
    const Sources bases = address.Bases();
    if (bases.Empty() || (bases.flags & Sources::kMemory) != 0) out_.unknown |= kind;
    if ((bases.flags & Sources::kGlobals) != 0) out_.globals |= kind;
    if ((bases.flags & Sources::kParameters) != 0) {
      for (unsigned at = 0; at + 8 <= kernel_.parameter_bytes; at += 8)
        pointers_[static_cast<uint16_t>(at)] |= kind;
    }
    for (const uint16_t slot : bases.slots) pointers_[slot] |= kind;
    // Variables of the module, and the memory of the driver.
    if (!bases.Empty() && bases.slots.empty() &&
        (bases.flags & (Sources::kParameters | Sources::kMemory)) == 0)
      return;
    if (out_.accesses.size() >= kMaxAccesses) {
      out_.accesses_complete = false;
      return;
    }
    KernelMemoryAccess& access = out_.accesses.emplace_back();
    access.code_offset = index * kInstructionBytes;
    access.kind = kind;
    access.width = instruction.memory.width;
    access.always = always_[index] && !instruction.Guarded();
    access.address = address;
    access.strong = instruction.memory.strong;
    access.guards = conditions.guards;
    access.guards_complete = access.always || conditions.complete;
    access.to_shared = instruction.operation == Operation::kCopyToShared;
  }

  // Reductions alone order nothing: their kernel sees no result.
  void FindWaits() {
    for (const Block& block : flow_.blocks) {
      if (!block.reachable) continue;
      for (uint32_t i = block.first; i < block.end; ++i) {
        const Instruction& instruction = flow_.instructions[i];
        const std::string_view name = instruction.mnemonic;
        out_.may_wait |= instruction.memory.strong || instruction.operation == Operation::kAtomic ||
                         name == "MEMBAR" || name == "NANOSLEEP";
      }
    }
  }

  void Finish() {
    for (const auto& [offset, kinds] : pointers_) out_.pointers.push_back({offset, kinds});
  }

 private:
  const CubinKernel& kernel_;
  const ControlFlow& flow_;
  KernelAccess& out_;
  std::vector<bool> always_;
  std::map<uint16_t, uint8_t> pointers_;
};

}  // namespace

uint8_t KernelAccess::KindsAt(uint16_t offset) const {
  if (!known()) return kReads | kWrites | kAtomics;
  const auto found = std::find_if(pointers.begin(), pointers.end(),
                                  [offset](const PointerUse& use) { return use.offset == offset; });
  return unknown | (found == pointers.end() ? 0 : found->kinds);
}

KernelAccess Summarize(const CubinKernel& kernel) {
  KernelAccess access;
  const ControlFlow flow = ReadControlFlow(kernel);
  access.failure = flow.failure;
  if (!access.known()) return access;
  DataFlow data(kernel, flow);
  access.failure = data.Run();
  access.failure_offset = data.failure_offset();
  if (!access.known()) return access;
  Collector collector(kernel, flow, &access);
  data.VisitAccesses(
      [&collector](uint32_t index, const Expression& address, const Conditions& conditions) {
        collector.Visit(index, address, conditions);
      });
  collector.Finish();
  collector.FindWaits();
  access.extensions = data.extensions();
  return access;
}

}  // namespace gpusan::cuda
