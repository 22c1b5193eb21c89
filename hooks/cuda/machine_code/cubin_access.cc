// Which memory a kernel reads, writes and changes atomically, derived from its machine code.
#include "hooks/cuda/machine_code/cubin_access.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "hooks/cuda/analysis/access_collector.h"
#include "hooks/cuda/analysis/in_place.h"
#include "hooks/cuda/machine_code/control_flow.h"
#include "hooks/cuda/machine_code/data_flow.h"

namespace gpusan::cuda {
namespace {

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

// Reductions alone order nothing: their kernel sees no result.
bool MayWait(const ControlFlow& flow) {
  for (const Block& block : flow.blocks) {
    if (!block.reachable) continue;
    for (uint32_t i = block.first; i < block.end; ++i) {
      const Instruction& instruction = flow.instructions[i];
      const std::string_view name = instruction.mnemonic;
      if (instruction.memory.strong || instruction.operation == Operation::kAtomic ||
          name == "MEMBAR" || name == "NANOSLEEP")
        return true;
    }
  }
  return false;
}

}  // namespace

KernelAccess Summarize(const CubinKernel& kernel) {
  KernelAccess access;
  ControlFlow flow = ReadControlFlow(kernel, true);
  access.failure = flow.failure;
  if (!access.known()) return access;
  std::optional<DataFlow> analysis(std::in_place, kernel, flow);
  access.failure = analysis->Run();
  if (!flow.returns.empty() && (!access.known() || !analysis->ReturnsToCallers())) {
    flow = ReadControlFlow(kernel, false);
    analysis.emplace(kernel, flow);
    access.failure = analysis->Run();
  }
  DataFlow& data = *analysis;
  access.failure_offset = data.failure_offset();
  if (!access.known()) return access;
  EndBlocks(data.EndlessCalls(), &flow);
  std::vector<bool> always(flow.instructions.size());
  for (const Block& block : flow.blocks) {
    for (uint32_t i = block.first; i < block.end; ++i) always[i] = block.always;
  }
  AccessCollector collector(kernel.parameter_bytes, &access);
  std::vector<InstructionAccess> found;
  const auto describe = [&](uint32_t index) {
    const Instruction& instruction = flow.instructions[index];
    KernelMemoryAccess one;
    one.code_offset = index * kInstructionBytes;
    one.kind = KindOf(instruction.operation);
    one.width = instruction.memory.width;
    one.strong = instruction.memory.strong;
    one.update = instruction.operation == Operation::kReduction;
    one.to_shared = instruction.operation == Operation::kCopyToShared;
    return one;
  };
  data.VisitAccesses([&](uint32_t index, const Expression& address, const Conditions& conditions) {
    const bool predicated = flow.instructions[index].Guarded();
    found.push_back({index, predicated, describe(index)});
    KernelMemoryAccess& one = found.back().access;
    one.always = always[index] && !predicated && conditions.loops.empty();
    one.address = address;
    one.guards = conditions.guards;
    one.loops = conditions.loops;
    one.guards_complete = one.always || conditions.complete;
  });
  MarkUpdates(flow.blocks, &found);
  for (InstructionAccess& one : found) collector.Add(std::move(one.access));
  access.may_wait = MayWait(flow);
  collector.AddSure([&](PathsOf whose) { return data.SureAccesses(whose); }, describe);
  collector.Finish([&](uint32_t word) { return kernel.VariableAt(word); });
  if (data.calls_readers()) access.unknown |= kReads;
  access.extensions = data.extensions();
  return access;
}

}  // namespace gpusan::cuda
