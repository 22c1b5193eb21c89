// Regions of memory objects that are mapped, or were unmapped recently, by their host address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/btree_map.h"
#include "tracker/base/spin_lock.h"
#include "tracker/objects/resource.h"

namespace gpusan {

// One mapped region: `bytes` from `begin` on.
struct MappedRegion {
  uintptr_t begin = 0;
  uint64_t bytes = 0;
  WeakRef<Resource> resource;  // the root
  SiteId mapped = kUnknownSite;
  const CallInfo* unmap_call = nullptr;  // nullptr: mapped
  SiteId unmapped = kUnknownSite;
  // Another map of overlapping memory was added: the addresses may stay mapped after this unmap.
  bool overlapped = false;
};

// Holds all mapped regions, and the last kUnmapped that were unmapped. Thread-safe.
class MappedRegions {
 public:
  // Adds a mapped region. Returns false if it overlaps others, which are then marked as overlapped.
  bool Add(const MappedRegion& region);
  // Removes the mapped region that begins at `begin`, and remembers it as unmapped if `unmap_call`
  // is set and the region is not overlapped. Returns false if there is none.
  bool Remove(uintptr_t begin, const CallInfo* unmap_call = nullptr, SiteId site = kUnknownSite);
  // Removes the mapped regions of the resource, and returns where they begin.
  std::vector<uintptr_t> RemoveOf(const Resource& resource);

  // Finds the mapped region that begins at `begin`.
  bool Find(uintptr_t begin, MappedRegion* region);
  // Finds the last unmapped region that contains `address`.
  bool FindUnmapped(uintptr_t address, MappedRegion* region);

 private:
  static constexpr size_t kUnmapped = 64;

  SpinLock lock_;
  absl::btree_map<uintptr_t, MappedRegion> mapped_;
  MappedRegion unmapped_[kUnmapped];
  size_t next_ = 0;  // in unmapped_
};

}  // namespace gpusan
