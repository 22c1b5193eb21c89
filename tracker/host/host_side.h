// Host memory that commands and objects use, so that the release of a host block can be checked.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "absl/container/btree_map.h"
#include "tracker/base/spin_lock.h"
#include "tracker/calls/shadow_state.h"
#include "tracker/memory/host_memory.h"
#include "tracker/objects/mapped_regions.h"
#include "tracker/objects/resource.h"
#include "tracker/order/host_shadow.h"

namespace gpusan {

// Thread-safe.
class HostSide {
 public:
  HostSide(HostMemory& memory, const TrackerOptions& options);
  HostSide(const HostSide&) = delete;
  HostSide& operator=(const HostSide&) = delete;

  // The known host blocks.
  HostMemory& memory() { return memory_; }
  const HostMemory& memory() const { return memory_; }
  // The accesses of pending commands to host memory.
  HostShadow& shadow() { return shadow_; }
  // Returns whether the program may have reused released memory without an update of memory().
  bool MayBeReused(uintptr_t address, uint64_t bytes) const {
    return may_be_reused_ == nullptr || may_be_reused_(address, bytes);
  }

  // Returns true if a release of host memory needs Tracker::OnHostFree.
  bool busy() const { return own_busy() || shared_blocks_.load(std::memory_order_relaxed) != 0; }
  // As above, but only for memory that the program itself allocated. The program may free that
  // memory after it has waited for the commands that use it.
  bool own_busy() const {
    return shadow_.busy() || pinned_count_.load(std::memory_order_relaxed) != 0;
  }

  // --- Shared allocations, which are also host blocks, to see free() of one

  void WatchShared(const Resource& resource);
  // Ends the check of host releases for a shared allocation, which the runtime may now free by
  // itself, on any thread.
  void UnwatchShared(const Resource& resource);
  // As above, for an allocation whose host block the program has just freed.
  void UnwatchFreed();

  // --- Mapped regions, which are also host blocks: the program must not free them

  MappedRegions& mapped() { return mapped_; }
  // Adds a region that the program has mapped, unless it overlaps another one.
  void WatchMapped(const MappedRegion& region);
  // The program unmaps the region that begins at `begin`. Its addresses count as released.
  void UnwatchMapped(uintptr_t begin, const CallInfo* call, SiteId site);
  // The program releases the resource: its memory is no longer mapped.
  void DropMapped(const Resource& resource);

  // --- Host blocks that live objects use as their memory

  void Pin(Resource* resource, uintptr_t address, uint64_t bytes);
  void Unpin(const Resource* resource);
  // Returns a live object whose memory overlaps the block; nullptr: none.
  Resource* FindPinned(const HostBlock& block);
  // Returns live objects, named by a handle, whose memory is between both addresses; at most
  // kMostStorages. Costs one load if no object uses host memory.
  static constexpr size_t kMostStorages = 8;
  std::vector<Resource*> StoragesIn(uintptr_t begin, uintptr_t end);
  // Returns the live object, named by a handle, whose memory contains the bytes, and stores where
  // they begin in it to `offset` [bytes]; nullptr: none. Costs one load if no object uses host
  // memory.
  Resource* FindStorage(uintptr_t address, uint64_t bytes, uint64_t* offset);

 private:
  void Users(int change) {
    if (users_ != nullptr)
      users_->fetch_add(static_cast<uint32_t>(change), std::memory_order_relaxed);
  }

  HostMemory& memory_;
  HostShadow shadow_;
  MappedRegions mapped_;
  std::atomic<uint32_t>* const users_;  // TrackerOptions::host_users
  bool (*const may_be_reused_)(uintptr_t address, uint64_t bytes);

  SpinLock pinned_lock_;
  struct Pinned {
    uintptr_t end;
    WeakRef<Resource> resource;
  };
  absl::btree_multimap<uintptr_t, Pinned> pinned_;  // by first address
  uintptr_t longest_pinned_ = 0;
  std::atomic<uint32_t> pinned_count_{0};
  std::atomic<uint32_t> shared_blocks_{0};
};

}  // namespace gpusan
