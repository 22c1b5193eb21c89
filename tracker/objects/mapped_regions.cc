// Regions of memory objects by their host address.
#include "tracker/objects/mapped_regions.h"

#include <iterator>
#include <mutex>

namespace gpusan {

bool MappedRegions::Add(const MappedRegion& region) {
  std::lock_guard lock(lock_);
  bool overlaps = false;
  auto at = mapped_.lower_bound(region.begin);
  if (at != mapped_.begin() && region.begin - std::prev(at)->first < std::prev(at)->second.bytes)
    --at;
  for (; at != mapped_.end() && at->first < region.begin + region.bytes; ++at) {
    at->second.overlapped = true;
    overlaps = true;
  }
  if (overlaps) return false;
  mapped_.emplace(region.begin, region);
  return true;
}

bool MappedRegions::Remove(uintptr_t begin, const CallInfo* unmap_call, SiteId site) {
  std::lock_guard lock(lock_);
  const auto found = mapped_.find(begin);
  if (found == mapped_.end()) return false;
  if (unmap_call != nullptr && !found->second.overlapped) {
    MappedRegion& kept = unmapped_[next_++ % kUnmapped];
    kept = found->second;
    kept.unmap_call = unmap_call;
    kept.unmapped = site;
  }
  mapped_.erase(found);
  return true;
}

std::vector<uintptr_t> MappedRegions::RemoveOf(const Resource& resource) {
  std::vector<uintptr_t> removed;
  std::lock_guard lock(lock_);
  for (auto it = mapped_.begin(); it != mapped_.end();) {
    if (it->second.resource.get() != &resource) {
      ++it;
      continue;
    }
    removed.push_back(it->first);
    it = mapped_.erase(it);
  }
  return removed;
}

bool MappedRegions::Find(uintptr_t begin, MappedRegion* region) {
  std::lock_guard lock(lock_);
  const auto found = mapped_.find(begin);
  if (found == mapped_.end()) return false;
  *region = found->second;
  return true;
}

bool MappedRegions::FindUnmapped(uintptr_t address, MappedRegion* region) {
  std::lock_guard lock(lock_);
  for (size_t i = 1; i <= kUnmapped; ++i) {
    const MappedRegion& kept = unmapped_[(next_ - i) % kUnmapped];
    if (kept.unmap_call == nullptr || address - kept.begin >= kept.bytes) continue;
    *region = kept;
    return true;
  }
  return false;
}

}  // namespace gpusan
