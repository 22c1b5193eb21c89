// When guard zones are read, and the findings that follow.
#pragma once

#include "hooks/cuda/guards/driver.h"

namespace gpusan::cuda {

// The caller of a guarded function.
struct GuardCaller {
  const void* return_address;
  const void* frame_address;
};
#define GPUSAN_GUARD_CALLER() \
  GuardCaller { __builtin_return_address(0), __builtin_frame_address(0) }

// Reads the zones of a block and reports changed ones as findings of `info`. `when` continues "was
// found". Uses `site` if it is known, otherwise the site of `caller`. `newest_only`: the newest
// command is the culprit.
void CheckBlock(const GuardedBlock& block, const char* when, const CallInfo& info,
                const GuardCaller& caller, SiteId site = kUnknownSite, bool newest_only = false);

// Removes the block that begins at `key` from the table, for a call that frees it. Returns false if
// there is none.
bool TakeToFree(uintptr_t key, GuardedBlock* block);

// After the host has waited: checks some of the blocks that commands had since their last check,
// and the zones that ordered frees have copied.
void CheckAfterWait(const CallInfo& info, const GuardCaller& caller);
// After a launch that the driver accepted: waits for it and checks all blocks, with
// Hooks::guard_every_launch. `per_thread`: what stream 0 means.
void CheckAfterLaunch(CUstream stream, bool per_thread, const CallInfo& info,
                      const GuardCaller& caller);
// Before contexts end: checks all blocks.
void CheckAll(const char* when, const CallInfo& info, const GuardCaller& caller);
// Forgets the blocks whose memory is gone. DropEnded: contexts have ended.
void DropGone();
void DropEnded();

// Copies the zones of a block that is about to be freed in stream order, behind the work of the
// stream. They are checked once the copy is done.
void CopyZonesInOrder(const GuardedBlock& block, CUstream stream, bool per_thread,
                      const CallInfo& info, const GuardCaller& caller);

// Checks all blocks when the process ends. Call it for each new block.
void CheckAtExit();
// The number of the newest command.
uint64_t NewestCommand();

}  // namespace gpusan::cuda
