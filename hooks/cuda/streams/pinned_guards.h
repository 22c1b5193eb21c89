// The option protect_maps for CUDA: protects the pages of page-locked memory that pending copies
// use (hooks/host/page_guard.h), so that accesses of the CPU to them are seen.
//
// Memory that the program registers is left alone, because others may use its pages. Nothing is
// deferred while the option is on. Thread-safe.
#pragma once

#include "hooks/cuda/call/call.h"
#include "tracker/calls/operation.h"

namespace gpusan::cuda {

inline bool GuardsPinned() { return CurrentHooks().protect_pinned; }

// Protects what the copy uses. Call these after the real call has enqueued it.
void GuardPinned(CuCall& call, const Command& command, const Transfer& transfer);
void GuardPinned(CuCall& call, const Command& command, const LinearTransfer& transfer);
// Reports the accesses since the last time, and removes the guards of copies that are complete.
// Call it before a call of the program changes what is complete.
void SettlePinnedGuards(Tracker& tracker);
// Call it before the memory that begins at `address` is freed.
void RemovePinnedGuards(uintptr_t address);
void RemoveAllPinnedGuards();

}  // namespace gpusan::cuda
