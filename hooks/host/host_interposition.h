// The host door: which host blocks the program holds, told by its calls of malloc, new and mmap.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "tracker/memory/host_memory.h"
#include "tracker/model/ids.h"

namespace gpusan {

// Told about releases that may matter to the device. Called on the releasing thread inside a
// ReentryGuard, before the memory goes back to the allocator; `site` is where it is released. No
// lock of the host door is held.
class HostObserver {
 public:
  virtual ~HostObserver() = default;
  virtual void OnHostFree(const HostBlock& block, SiteId site) = 0;
};

// Raised by the tracker while any pending command or live object uses host memory; a release costs
// a lookup and nothing more while it is 0.
extern std::atomic<uint32_t> host_users;

// Set once; the observer lives as long as the process. nullptr: nobody is told.
void SetHostObserver(HostObserver* observer);

// The blocks known; made at first use, valid from before the program's first static initialiser.
// Never nullptr.
HostMemory* HostBlocks();

// Blocks smaller than this are not kept (default 1024).
void SetHostBlockMin(size_t bytes);

// No block is kept from now on: the host functions only forward. Cannot be undone.
void KeepNoHostBlocks();

// From now on the program is taken to use a GPU: stacks of host blocks are kept in full and
// releases are remembered. Before, only the first few blocks get full stacks, so that a process
// without GPU pays next to nothing.
void ExpectGpuUse();

// In the child of a fork: the parent's blocks are forgotten.
void ResetHostBlocksAfterFork();

}  // namespace gpusan
