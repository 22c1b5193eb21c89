// The memory that a kernel reads, writes and updates atomically, derived from its machine code.
#include "hooks/cuda/machine_code/cubin_access.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "hooks/cuda/analysis/access_collector.h"
#include "hooks/cuda/analysis/in_place.h"
#include "hooks/cuda/machine_code/control_flow.h"
#include "hooks/cuda/machine_code/data_flow.h"
#include "hooks/cuda/machine_code/waits.h"

namespace gpusan::cuda {
namespace {

uint8_t KindOf(Operation operation) {
  switch (operation) {
    case Operation::kStore:
    case Operation::kBulkStore:
    case Operation::kWriteTexels:
      return kWrites;
    case Operation::kAtomic:
    case Operation::kReduction:
    case Operation::kBulkReduction:
      return kAtomics;
    default:
      return kReads;
  }
}

ViewKind ViewOf(const Instruction& instruction) {
  if (!instruction.OfTexels()) return ViewKind::kNone;
  const bool surface = std::string_view(instruction.mnemonic).starts_with("SU");
  return surface ? ViewKind::kSurface : ViewKind::kTexture;
}

bool IsBeyondDevice(const ControlFlow& flow) {
  return std::any_of(flow.instructions.begin(), flow.instructions.end(),
                     [](const Instruction& instruction) {
                       return instruction.beyond_device || instruction.memory.beyond_device;
                     });
}

bool CopiesTensors(const ControlFlow& flow) {
  return std::any_of(flow.instructions.begin(), flow.instructions.end(),
                     [](const Instruction& instruction) {
                       const bool bulk = instruction.operation == Operation::kBulkLoad ||
                                         instruction.operation == Operation::kBulkStore ||
                                         instruction.operation == Operation::kBulkReduction;
                       return bulk && std::string_view(instruction.mnemonic).starts_with("UTMA");
                     });
}

// Whether all threads of a launch agree on the comparison.
bool IsUniform(const AccessGuard& guard) {
  const auto is_uniform = [](const Expression& side) {
    return !side.inexact && side.conditions.empty() &&
           std::all_of(side.terms.begin(), side.terms.end(), [](const Term& term) {
             return std::all_of(term.atoms.begin(), term.atoms.end(), [](const Atom& atom) {
               return atom.Uniform() && atom.kind != Atom::Kind::kBlock;
             });
           });
  };
  return is_uniform(guard.left) && is_uniform(guard.right);
}

// Finds whether threads may wait, and a comparison without which none of them does, if there is
// one.
void FindWaits(const ControlFlow& flow, const DataFlow& data, KernelAccess* access) {
  std::vector<AccessGuard> common;
  bool waits = false, in_loop = false;
  for (uint32_t number = 0; number < flow.blocks.size(); ++number) {
    if (!MayWait(flow, number)) continue;
    const std::vector<AccessGuard>& guards = data.GuardsOf(number);
    if (!waits) common = guards;
    waits = true;
    in_loop = in_loop || BlocksBehind(flow.blocks, {number})[number];
    std::erase_if(common, [&guards](const AccessGuard& guard) {
      return !IsUniform(guard) || std::find(guards.begin(), guards.end(), guard) == guards.end();
    });
  }
  if (!common.empty()) access->waits_only_if = common[0];
  access->may_wait = waits;
  access->waits_in_loop = in_loop;
  access->beyond_device = IsBeyondDevice(flow);
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
    one.view = ViewOf(instruction);
    one.width = one.view != ViewKind::kNone ? uint8_t{1} : instruction.memory.width;
    one.exact_width = one.kind != kAtomics;
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
  FindWaits(flow, data, &access);
  access.copies_tensors = CopiesTensors(flow);
  collector.AddSure(
      access.waits_only_if,
      [&](PathsOf whose, const std::vector<AccessGuard>& known) {
        return data.SureAccesses(whose, known);
      },
      describe);
  collector.Finish([&](uint32_t word) { return kernel.VariableAt(word); });
  if (data.calls_readers()) access.unknown |= kReads;
  access.extensions = data.extensions();
  return access;
}

}  // namespace gpusan::cuda
