// Interposition of the host's allocation functions: which blocks the program holds, as seen in its
// calls of malloc, new and mmap.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "tracker/memory/host_memory.h"
#include "tracker/model/ids.h"

namespace gpusan {

// Receives releases of host blocks that the device may still use. Called on the releasing thread
// inside a ReentryGuard, before the memory goes back to the allocator, without a lock of this
// folder. `site` is the call site of the release.
class HostObserver {
 public:
  virtual ~HostObserver() = default;
  virtual void OnHostFree(const HostBlock& block, SiteId site) = 0;
  // Returns whether a pending command uses the block, which is too small to be recorded and is
  // about to be released. If so, OnHostFree and EndUses follow.
  virtual bool IsSmallBlockInUse(const HostBlock& /*block*/) { return false; }
  // Called after the finding about the uses of the block. Later findings must ignore that pending
  // commands use this memory.
  virtual void EndUses(const HostBlock& /*block*/) {}
  // Returns whether a pending command needs the content or the access rights that the program is
  // about to remove from the range. If so, OnHostLoss follows.
  virtual bool IsLossInUse(const HostBlock& /*range*/, HostLoss /*loss*/) { return false; }
  virtual void OnHostLoss(const HostBlock& /*range*/, HostLoss /*loss*/, SiteId /*site*/,
                          const char* /*function*/) {}
  // Returns whether device memory begins at the address, which the program passes to a function
  // that releases host memory, but which is not a known block. If so, OnDeviceMemoryFree follows.
  virtual bool IsDeviceMemory(uintptr_t /*address*/) { return false; }
  virtual void OnDeviceMemoryFree(uintptr_t /*address*/, SiteId /*site*/) {}
};

// The number of pending commands and live objects that use host memory, maintained by the tracker.
// While it is 0, a release costs one look-up.
extern std::atomic<uint32_t> host_users;

// Sets the observer, which must live as long as the process. nullptr: no observer.
void SetHostObserver(HostObserver* observer);

// Returns the known blocks; never nullptr. Created at first use, which may precede the program's
// static initialisers. Thread-safe.
HostMemory* HostBlocks();

// Blocks smaller than `bytes` are not recorded (default 1024).
void SetHostBlockMin(size_t bytes);

// No block is kept from now on: the host functions only forward. Cannot be undone.
void KeepNoHostBlocks();

// From this call on, host blocks get full stacks and their releases are recorded: the program is
// expected to use a GPU. Before, only the first few blocks get full stacks, so that the overhead of
// a process without GPU is small. Idempotent, thread-safe.
void ExpectGpuUse();

// The program has called a GPU API. From this call on, blocks that Python modules allocate while
// they are imported get full stacks too. Idempotent, thread-safe.
void NoteGpuUse();

// Forgets the parent's blocks, in the child of a fork.
void ResetHostBlocksAfterFork();

}  // namespace gpusan
