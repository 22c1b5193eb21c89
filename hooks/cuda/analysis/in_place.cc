// Finds loads of bytes that the same thread stores later.
#include "hooks/cuda/analysis/in_place.h"

#include <algorithm>
#include <memory>

namespace gpusan::cuda {
namespace {

constexpr size_t kMostAccesses = 128;  // of larger kernels, nothing is marked

bool IsPlain(const KernelMemoryAccess& access, AccessKind kind) {
  return access.kind == kind && access.view == ViewKind::kNone && !access.strong &&
         !access.to_shared && !access.address.inexact;
}

// The index of the block of an instruction; UINT32_MAX: there is none.
uint32_t BlockOf(const std::vector<Block>& blocks, uint32_t instruction) {
  const auto found = std::find_if(blocks.begin(), blocks.end(), [instruction](const Block& block) {
    return block.reachable && block.first <= instruction && instruction < block.end;
  });
  return found == blocks.end() ? UINT32_MAX : static_cast<uint32_t>(found - blocks.begin());
}

// Whether a thread that executes the store, and has reached the load, has executed the load.
bool RunsWith(const InstructionAccess& load, const InstructionAccess& store) {
  if (!load.predicated) return true;
  const std::vector<AccessGuard>& guards = store.access.guards;
  return load.access.guards_complete &&
         std::all_of(load.access.guards.begin(), load.access.guards.end(),
                     [&guards](const AccessGuard& guard) {
                       return std::find(guards.begin(), guards.end(), guard) != guards.end();
                     });
}

}  // namespace

void MarkUpdates(const std::vector<Block>& blocks, std::vector<InstructionAccess>* accesses) {
  if (accesses->size() > kMostAccesses) return;
  std::unique_ptr<BlockConditions> graph;
  // Two exact addresses are equal in the same iteration of each loop that they name. A load whose
  // block dominates that of the store is executed first, in this iteration too.
  const auto precedes = [&](uint32_t load, uint32_t store) {
    const uint32_t from = BlockOf(blocks, load), to = BlockOf(blocks, store);
    if (from == UINT32_MAX || to == UINT32_MAX) return false;
    if (from == to) return load < store;
    if (graph == nullptr) graph = std::make_unique<BlockConditions>(blocks);
    return graph->Dominates(from, to);
  };
  for (InstructionAccess& store : *accesses) {
    if (!IsPlain(store.access, kWrites)) continue;
    for (InstructionAccess& load : *accesses) {
      if (!IsPlain(load.access, kReads) || load.access.width != store.access.width ||
          load.access.address != store.access.address || !RunsWith(load, store) ||
          !precedes(load.instruction, store.instruction))
        continue;
      load.access.update = store.access.update = true;
    }
  }
}

}  // namespace gpusan::cuda
