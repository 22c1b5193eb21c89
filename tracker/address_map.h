// Address to the resource that contains it: shared virtual memory, device pointers.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "absl/container/btree_map.h"
#include "tracker/object.h"
#include "tracker/spin_lock.h"

namespace gpusan {

// Thread-safe. Live resources by base, and the last released ones.
class AddressMap {
 public:
  bool empty() const { return count_.load(std::memory_order_relaxed) == 0; }

  void Insert(uintptr_t base, Resource* resource) {
    std::lock_guard lock(lock_);
    live_[base] = resource;
    count_.store(live_.size(), std::memory_order_relaxed);
  }

  bool Erase(uintptr_t base, const Resource* resource) {
    std::lock_guard lock(lock_);
    auto it = live_.find(base);
    if (it == live_.end() || it->second != resource) return false;
    live_.erase(it);
    count_.store(live_.size(), std::memory_order_relaxed);
    return true;
  }

  // The live resource with base <= address < base + bytes.
  Resource* Find(uintptr_t address) const {
    if (empty()) return nullptr;
    std::lock_guard lock(lock_);
    auto it = live_.upper_bound(address);
    if (it == live_.begin()) return nullptr;
    Resource* resource = (--it)->second;
    return address - it->first < resource->bytes ? resource : nullptr;
  }

 private:
  mutable SpinLock lock_;
  absl::btree_map<uintptr_t, Resource*> live_;
  std::atomic<size_t> count_{0};
};

}  // namespace gpusan
