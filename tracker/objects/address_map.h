// Maps an address (shared virtual memory, device pointer) to the resource that contains it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <mutex>

#include "tracker/base/address_hints.h"
#include "tracker/base/spin_lock.h"
#include "tracker/memory/handle_map.h"
#include "tracker/memory/host_memory.h"
#include "tracker/objects/resource.h"

namespace gpusan {

// Holds the live resources of up to 1 TiB. A look-up of a resource's first byte takes one lock-free
// step. So does a look-up of any byte of a resource of 1 MiB or more, because the program's
// allocators often divide such a resource. Other addresses take a second step. The cost does not
// grow with the number of resources. If two resources overlap, the release of the older one was not
// intercepted, and look-ups return the newer one. Thread-safe.
//
// An allocator of the program may divide a resource into blocks, which are resources of their own.
// Divide() removes the divided resource. With `gaps`, look-ups still return it for addresses
// between the blocks.
class AddressMap {
 public:
  AddressMap() = default;
  AddressMap(const AddressMap&) = delete;
  AddressMap& operator=(const AddressMap&) = delete;
  ~AddressMap() {
    delete blocks_.load(std::memory_order_relaxed);
    delete divided_.load(std::memory_order_relaxed);
  }

  // True if Insert() was never called.
  bool unused() const { return high_.load(std::memory_order_relaxed) == 0; }

  void Insert(uintptr_t base, Resource* resource) {
    const uint64_t bytes = resource->bytes;
    // A hint may still name an older resource at these addresses. AddBlock() removes such hints, so
    // the block is added at once.
    const bool at_once = bytes == 0 || bytes >= AddressHints::kSmallest ||
                         hints_.Find(base) != nullptr || hints_.Find(base + bytes - 1) != nullptr;
    if (at_once) AddBlock(base, bytes);
    Widen(base, base + bytes);
    if (bytes >= AddressHints::kSmallest) hints_.Set(base, bytes, resource);
    if (bases_.Insert(base, resource) != nullptr) recent_.Forget(base);
    if (!at_once) AddNew(base);
  }

  bool Erase(uintptr_t base, const Resource* resource) {
    if (!bases_.Erase(base, resource)) return false;
    recent_.Forget(base);
    if (!RemoveNew(base)) {
      HostBlock block;
      Blocks().RemoveHeap(base, &block);
    }
    if (resource->bytes >= AddressHints::kSmallest) hints_.Unset(base, resource->bytes, resource);
    return true;
  }

  // Removes a resource from look-ups. With `gaps`, look-ups of addresses in no other resource still
  // return it. One thread at a time may call Divide() and Unite().
  void Divide(Resource* resource, bool gaps) {
    Erase(resource->handle, resource);
    if (!gaps) return;
    Divided* divided = divided_.load(std::memory_order_acquire);
    if (divided == nullptr) {
      divided = new Divided;
      divided_.store(divided, std::memory_order_release);
    }
    divided->bases.Insert(resource->handle, resource);
    divided->ranges.Add({resource->handle, resource->bytes, HostBlockKind::kHeap, kUnknownSite});
  }
  // Reverts Divide(). `base` is the handle that the resource had at Divide(). `resource` is nullptr
  // if the resource was released since.
  void Unite(uintptr_t base, Resource* resource) {
    if (Divided* divided = divided_.load(std::memory_order_acquire); divided != nullptr) {
      if (const Resource* gaps = divided->bases.Find(base); gaps != nullptr) {
        HostBlock block;
        divided->ranges.RemoveHeap(base, &block);
        divided->bases.Erase(base, gaps);
      }
    }
    if (resource != nullptr) Insert(base, resource);
  }

  // Returns whether the resource was divided, with gaps, and not united since. Takes no lock.
  bool IsDivided(const Resource& resource) const {
    const Divided* divided = divided_.load(std::memory_order_acquire);
    return divided != nullptr && divided->bases.Find(resource.handle) == &resource;
  }

  // The range from the lowest to the highest address of all resources so far. Most words that are
  // not addresses lie outside this range.
  struct Span {
    uintptr_t low;
    uint64_t bytes;
    bool Holds(uintptr_t address) const { return address - low < bytes; }
  };
  Span span() const {
    const uintptr_t low = low_.load(std::memory_order_relaxed);
    return {low, high_.load(std::memory_order_relaxed) - low};
  }
  bool Spans(uintptr_t address) const { return span().Holds(address); }

  // Returns the live resource with base <= address < base + bytes, or nullptr.
  Resource* Find(uintptr_t address) const {
    if (!Spans(address)) return nullptr;
    if (Resource* resource = hints_.Find(address); resource != nullptr) return resource;
    if (Resource* resource = bases_.Find(address); resource != nullptr && resource->bytes != 0)
        [[likely]]
      return resource;
    return FindAround(address);
  }
  // Like Find(), for resources whose handle is their address. Caches the result: use it for
  // addresses that are likely to be looked up again soon.
  Resource* FindRecent(uintptr_t address) const {
    if (!Spans(address)) return nullptr;
    if (Resource* resource = hints_.Find(address); resource != nullptr) return resource;
    // The cache may still return a resource that was released or reused for another address.
    if (Resource* resource = recent_.Find(address);
        resource != nullptr && resource->handle == address && resource->live()) [[likely]]
      return resource;
    if (Resource* resource = bases_.Find(address); resource != nullptr && resource->bytes != 0) {
      recent_.Remember(address, resource);
      return resource;
    }
    return FindAround(address);
  }

 private:
  Resource* FindAround(uintptr_t address) const {
    HostBlock block;
    if (new_.count.load(std::memory_order_acquire) != 0) {
      std::lock_guard lock(new_.lock);
      AddAllNew();
    }
    const HostMemory* blocks = blocks_.load(std::memory_order_acquire);
    if (blocks == nullptr || !blocks->Find(address, &block)) return FindGap(address);
    Resource* resource = bases_.Find(block.begin);
    return resource != nullptr && address - block.begin < resource->bytes ? resource
                                                                          : FindGap(address);
  }

  // Divided resources that are found between their blocks.
  struct Divided {
    HostMemory ranges;
    HandleMap<Resource> bases;
  };
  Resource* FindGap(uintptr_t address) const {
    const Divided* divided = divided_.load(std::memory_order_acquire);
    HostBlock block;
    if (divided == nullptr || !divided->ranges.Find(address, &block)) return nullptr;
    Resource* resource = divided->bases.Find(block.begin);
    // It may have been released meanwhile, and be reused for another address.
    return resource != nullptr && resource->handle == block.begin && resource->live() ? resource
                                                                                      : nullptr;
  }

  // Small resources that are in `bases_` but not in `blocks_` yet. The first look-up of an address
  // inside a resource moves them to `blocks_`. Many resources are released before any such look-up.
  struct alignas(64) New {
    SpinLock lock;
    std::atomic<uint32_t> count{0};
    uintptr_t bases[7];  // oldest first
  };

  void AddBlock(uintptr_t base, uint64_t bytes) const {
    if (Blocks().Add({base, bytes, HostBlockKind::kHeap, kUnknownSite})) [[unlikely]]
      hints_.Clear();
  }
  // Requires: new_.lock is held.
  void AddAllNew() const {
    const uint32_t count = new_.count.load(std::memory_order_relaxed);
    for (uint32_t i = 0; i < count; ++i) {
      const Resource* resource = bases_.Find(new_.bases[i]);
      if (resource != nullptr) AddBlock(new_.bases[i], resource->bytes);
    }
    new_.count.store(0, std::memory_order_release);
  }
  void AddNew(uintptr_t base) {
    std::lock_guard lock(new_.lock);
    uint32_t count = new_.count.load(std::memory_order_relaxed);
    if (count == std::size(new_.bases)) {
      AddAllNew();
      count = 0;
    }
    new_.bases[count] = base;
    new_.count.store(count + 1, std::memory_order_release);
  }
  bool RemoveNew(uintptr_t base) {
    if (new_.count.load(std::memory_order_relaxed) == 0) return false;
    std::lock_guard lock(new_.lock);
    const uint32_t count = new_.count.load(std::memory_order_relaxed);
    uintptr_t* end = new_.bases + count;
    uintptr_t* found = std::find(new_.bases, end, base);
    if (found == end) return false;
    std::copy(found + 1, end, found);
    new_.count.store(count - 1, std::memory_order_release);
    return true;
  }

  // Extends span(), which never shrinks. Call it before a look-up can find the resource.
  void Widen(uintptr_t begin, uintptr_t end) {
    if (begin >= low_.load(std::memory_order_relaxed) &&
        end <= high_.load(std::memory_order_relaxed)) [[likely]]
      return;
    std::lock_guard lock(making_);
    if (begin < low_.load(std::memory_order_relaxed)) low_.store(begin, std::memory_order_relaxed);
    if (end > high_.load(std::memory_order_relaxed)) high_.store(end, std::memory_order_relaxed);
  }

  HostMemory& Blocks() const {
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
  mutable AddressHints hints_;
  mutable New new_;
  mutable RecentAddresses recent_;
  std::atomic<uintptr_t> low_{UINTPTR_MAX}, high_{0};
  mutable std::atomic<HostMemory*> blocks_{nullptr};
  std::atomic<Divided*> divided_{nullptr};  // made by the first Divide() with gaps
  mutable SpinLock making_;
};

}  // namespace gpusan
