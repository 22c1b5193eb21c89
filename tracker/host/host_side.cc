// HostSide: shared allocations as host blocks, and host blocks as the memory of objects.
#include "tracker/host/host_side.h"

#include <algorithm>
#include <mutex>

namespace gpusan {

HostSide::HostSide(HostMemory& memory, const TrackerOptions& options)
    : memory_(memory), users_(options.host_users), may_be_reused_(options.may_be_reused) {
  shadow_.SetUsers(users_);
}

void HostSide::WatchShared(const Resource& resource) {
  memory_.Add({resource.handle, resource.bytes, HostBlockKind::kHeap, resource.created});
  shared_blocks_.fetch_add(1, std::memory_order_relaxed);
  Users(1);
}

void HostSide::UnwatchShared(const Resource& resource) {
  HostBlock block;
  if (memory_.RemoveHeap(resource.handle, &block)) UnwatchFreed();
}

void HostSide::UnwatchFreed() {
  shared_blocks_.fetch_sub(1, std::memory_order_relaxed);
  Users(-1);
}

void HostSide::WatchMapped(const MappedRegion& region) {
  if (!mapped_.Add(region)) return;
  // A driver may map memory of the program, which stays valid after the unmap.
  HostBlock own;
  if (memory_.Find(region.begin, &own)) {
    mapped_.Remove(region.begin);
    return;
  }
  memory_.Add({region.begin, region.bytes, HostBlockKind::kHeap, region.mapped});
  shared_blocks_.fetch_add(1, std::memory_order_relaxed);
  Users(1);
}

void HostSide::UnwatchMapped(uintptr_t begin, const CallInfo* call, SiteId site) {
  MappedRegion region;
  if (!mapped_.Find(begin, &region) || !mapped_.Remove(begin, call, site)) return;
  HostBlock block;
  // A release without a site hides older releases: another map may still use the addresses.
  if (memory_.RemoveHeap(begin, &block))
    memory_.NoteRelease(block, region.overlapped ? kUnknownSite : site);
  UnwatchFreed();
}

void HostSide::DropMapped(const Resource& resource) {
  for (uintptr_t begin : mapped_.RemoveOf(resource)) {
    HostBlock block;
    memory_.RemoveHeap(begin, &block);
    UnwatchFreed();
  }
}

void HostSide::Pin(Resource* resource, uintptr_t address, uint64_t bytes) {
  std::lock_guard lock(pinned_lock_);
  pinned_.emplace(address, Pinned{address + bytes, WeakRef<Resource>(resource)});
  longest_pinned_ = std::max<uintptr_t>(longest_pinned_, bytes);
  Users(1);
  pinned_count_.store(static_cast<uint32_t>(pinned_.size()), std::memory_order_relaxed);
}

void HostSide::Unpin(const Resource* resource) {
  std::lock_guard lock(pinned_lock_);
  for (auto it = pinned_.lower_bound(resource->address);
       it != pinned_.end() && it->first == resource->address; ++it) {
    if (it->second.resource.object != resource) continue;
    pinned_.erase(it);
    Users(-1);
    break;
  }
  pinned_count_.store(static_cast<uint32_t>(pinned_.size()), std::memory_order_relaxed);
}

Resource* HostSide::FindPinned(const HostBlock& block) {
  if (pinned_count_.load(std::memory_order_relaxed) == 0) return nullptr;
  Resource* found = nullptr;
  std::lock_guard lock(pinned_lock_);
  for (auto it = pinned_.lower_bound(block.end()); it != pinned_.begin();) {
    --it;
    if (it->first + longest_pinned_ <= block.begin) break;
    if (it->second.end <= block.begin) continue;
    Resource* resource = it->second.resource.get();
    if (resource != nullptr && resource->live()) found = resource;
  }
  return found;
}

std::vector<Resource*> HostSide::StoragesIn(uintptr_t begin, uintptr_t end) {
  std::vector<Resource*> found;
  if (pinned_count_.load(std::memory_order_relaxed) == 0) return found;
  std::lock_guard lock(pinned_lock_);
  for (auto it = pinned_.lower_bound(begin); it != pinned_.end() && it->first < end; ++it) {
    if (it->second.end > end || found.size() == kMostStorages) continue;
    Resource* storage = it->second.resource.get();
    if (storage != nullptr && storage->live() && !storage->by_address()) found.push_back(storage);
  }
  return found;
}

// Several objects may use one block; `address` of a resource may change meanwhile.
Resource* HostSide::FindStorage(uintptr_t address, uint64_t bytes, uint64_t* offset) {
  if (pinned_count_.load(std::memory_order_relaxed) == 0) return nullptr;
  std::lock_guard lock(pinned_lock_);
  for (auto it = pinned_.upper_bound(address); it != pinned_.begin();) {
    --it;
    if (it->first + longest_pinned_ <= address) break;
    if (it->second.end <= address || it->second.end - address < bytes) continue;
    Resource* storage = it->second.resource.get();
    if (storage == nullptr || !storage->live() || storage->by_address() ||
        storage->image != nullptr)
      continue;
    *offset = address - it->first;
    return storage;
  }
  return nullptr;
}

}  // namespace gpusan
