// Address to the resource that contains it: shared virtual memory, device pointers.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "tracker/handle_map.h"
#include "tracker/host_memory.h"
#include "tracker/object.h"
#include "tracker/spin_lock.h"

namespace gpusan {

// Thread-safe; live resources only. A pointer to the first byte, which most are, costs one look-up
// without a lock, others a second one; neither grows with the number of resources. Resources up to
// 1 TiB are kept. Where two overlap, the release of the older one was not seen: the newer one is
// what an address means.
class AddressMap {
 public:
  AddressMap() = default;
  AddressMap(const AddressMap&) = delete;
  AddressMap& operator=(const AddressMap&) = delete;
  ~AddressMap() { delete blocks_.load(std::memory_order_relaxed); }

  bool empty() const { return count_.load(std::memory_order_relaxed) == 0; }

  void Insert(uintptr_t base, Resource* resource) {
    Blocks().Add({base, resource->bytes, HostBlockKind::kHeap, kUnknownSite});
    if (bases_.Insert(base, resource) == nullptr) count_.fetch_add(1, std::memory_order_relaxed);
  }

  bool Erase(uintptr_t base, const Resource* resource) {
    if (!bases_.Erase(base, resource)) return false;
    HostBlock block;
    Blocks().RemoveHeap(base, &block);
    count_.fetch_sub(1, std::memory_order_relaxed);
    return true;
  }

  // The live resource with base <= address < base + bytes.
  Resource* Find(uintptr_t address) const {
    if (empty() || address == 0) return nullptr;
    if (Resource* resource = bases_.Find(address);
        resource != nullptr && resource->bytes != 0) [[likely]]
      return resource;
    HostBlock block;
    const HostMemory* blocks = blocks_.load(std::memory_order_acquire);
    if (blocks == nullptr || !blocks->Find(address, &block)) return nullptr;
    Resource* resource = bases_.Find(block.begin);
    return resource != nullptr && address - block.begin < resource->bytes ? resource : nullptr;
  }

 private:
  HostMemory& Blocks() {
    HostMemory* blocks = blocks_.load(std::memory_order_acquire);
    if (blocks != nullptr) [[likely]]
      return *blocks;
    std::lock_guard lock(making_);
    blocks = blocks_.load(std::memory_order_acquire);
    if (blocks == nullptr) {
      blocks = new HostMemory;
      blocks_.store(blocks, std::memory_order_release);
    }
    return *blocks;
  }

  HandleMap<Resource> bases_;
  std::atomic<HostMemory*> blocks_{nullptr};
  SpinLock making_;
  std::atomic<size_t> count_{0};
};

}  // namespace gpusan
