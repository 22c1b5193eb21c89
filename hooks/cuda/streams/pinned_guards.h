// The option protect_maps for CUDA: protects the pages of page-locked memory that pending copies
// use, and of managed memory that pending copies and kernels use (hooks/host/page_guard.h), so that
// accesses of the CPU to them are seen.
//
// Memory that the program registers is left alone, because others may use its pages. Nothing is
// deferred while the option is on. Thread-safe.
#pragma once

#include "hooks/cuda/call/call.h"
#include "tracker/calls/operation.h"

namespace gpusan::cuda {

inline bool GuardsPinned() { return CurrentHooks().protect_pinned; }

// Protects what the copy uses, or what the kernel surely uses. Call these after the real call has
// enqueued it.
void GuardPinned(CuCall& call, const Command& command, const Transfer& transfer);
void GuardPinned(CuCall& call, const Command& command, const LinearTransfer& transfer);
void GuardPinned(CuCall& call, const Command& command, const Launch& launch);
// Reports the accesses since the last time, and removes the guards of copies that are complete.
// Call it before a call of the program changes what is complete.
void SettlePinnedGuards(Tracker& tracker);
// Call it before the memory that begins at `address` is freed.
void RemovePinnedGuards(uintptr_t address);
// Call it after memory was allocated: it may begin in a page that is guarded for other memory.
void RemovePinnedGuardsIn(uintptr_t address, uint64_t bytes);
void RemoveAllPinnedGuards();

}  // namespace gpusan::cuda
