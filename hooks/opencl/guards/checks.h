// When guard zones are read, and the findings that follow.
#pragma once

#include "hooks/opencl/guards/driver.h"

namespace gpusan::opencl {

// The caller of a guarded function.
struct GuardCaller {
  const void* return_address;
  const void* frame_address;
};
#define GPUSAN_GUARD_CALLER() \
  GuardCaller { __builtin_return_address(0), __builtin_frame_address(0) }

// Reads the zones of a block by `queue` and reports changed ones as findings of `info`. `when`
// continues "was found". Uses `site` if it is known, otherwise the site of `caller`.
void CheckBlock(AttachPath path, cl_command_queue queue, const GuardedBlock& block,
                const char* when, const CallInfo& info, const GuardCaller& caller,
                SiteId site = kUnknownSite);

// Removes the shared memory that begins at `key` from the table, for a call that frees it. Returns
// false if there is none.
bool TakeToFree(uintptr_t key, GuardedBlock* block);

// A destroyed buffer whose zones must still be read.
void RetireBlock(GuardedBlock&& block, AttachPath path);
// Reads the zones of retired buffers and releases their memory.
void CheckRetired(const CallInfo& info, const GuardCaller& caller);

// Checks the memory that launches of the queue had, after the queue has finished.
void CheckAfterFinish(AttachPath path, cl_command_queue queue, const GuardCaller& caller);

// Keeps a launch that the driver has accepted. With Hooks::guard_every_launch: waits for it and
// checks the memory of its arguments.
void NoteGuardedLaunch(AttachPath path, cl_command_queue queue, cl_kernel kernel,
                       const CallInfo& info, const GuardCaller& caller);

// Checks all blocks when the process ends. Call it for each new block.
void CheckAtExit(AttachPath path);

}  // namespace gpusan::opencl
