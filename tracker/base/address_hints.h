// Small lock-free caches in front of the address maps. Most look-ups touch one line of memory that
// is still in a processor cache.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "tracker/base/spin_lock.h"

namespace gpusan {

struct Resource;

// Direct-mapped cache from an address to the large resource that contains it. Fixed size.
// Thread-safe; look-ups take no lock. A miss does not mean that there is no such resource.
class AddressHints {
 public:
  static constexpr uint64_t kSmallest = uint64_t{1} << 20;  // smallest cached resource [bytes]

  Resource* Find(uintptr_t address) const {
    const Entry& entry = entries_[(address >> kShift) % kEntries];
    const uint32_t version = entry.version.load(std::memory_order_acquire);
    Resource* resource = entry.resource.load(std::memory_order_acquire);
    if (resource == nullptr) return nullptr;
    const uintptr_t begin = entry.begin.load(std::memory_order_acquire);
    const uint64_t bytes = entry.bytes.load(std::memory_order_acquire);
    if (address - begin >= bytes || (version & 1) != 0 ||
        entry.version.load(std::memory_order_relaxed) != version)
      return nullptr;
    return resource;
  }

  void Set(uintptr_t begin, uint64_t bytes, Resource* resource) {
    std::lock_guard lock(lock_);
    ForEach(begin, bytes, [&](Entry& entry) { Write(entry, begin, bytes, resource); });
  }
  void Unset(uintptr_t begin, uint64_t bytes, const Resource* resource) {
    std::lock_guard lock(lock_);
    ForEach(begin, bytes, [&](Entry& entry) {
      if (entry.resource.load(std::memory_order_relaxed) == resource) Write(entry, 0, 0, nullptr);
    });
  }
  void Clear() {
    std::lock_guard lock(lock_);
    for (Entry& entry : entries_) Write(entry, 0, 0, nullptr);
  }

 private:
  static constexpr int kShift = 21;
  static constexpr size_t kEntries = 1024;
  struct alignas(32) Entry {
    std::atomic<Resource*> resource{nullptr};
    std::atomic<uintptr_t> begin{0};
    std::atomic<uint64_t> bytes{0};
    std::atomic<uint32_t> version{0};  // odd during a write
  };

  template <typename Function>
  void ForEach(uintptr_t begin, uint64_t bytes, Function function) {
    const uintptr_t first = begin >> kShift, last = (begin + bytes - 1) >> kShift;
    for (uintptr_t i = 0; i <= last - first && i < kEntries; ++i)
      function(entries_[(first + i) % kEntries]);
  }
  // Requires that the caller holds `lock_`.
  static void Write(Entry& entry, uintptr_t begin, uint64_t bytes, Resource* resource) {
    const uint32_t version = entry.version.load(std::memory_order_relaxed);
    entry.version.store(version + 1, std::memory_order_relaxed);
    entry.resource.store(resource, std::memory_order_release);
    entry.begin.store(begin, std::memory_order_release);
    entry.bytes.store(bytes, std::memory_order_release);
    entry.version.store(version + 2, std::memory_order_release);
  }

  SpinLock lock_;
  Entry entries_[kEntries];
};

// Cache of recently looked-up resources by their first byte, because the tables may be larger than
// the processor caches. Thread-safe; look-ups take no lock. A thread that looked up a resource
// before Forget may insert it again after Forget.
class RecentAddresses {
 public:
  Resource* Find(uintptr_t address) const {
    const Entry& entry = EntryOf(address);
    Resource* resource = entry.resource.load(std::memory_order_acquire);
    if (resource == nullptr || entry.address.load(std::memory_order_acquire) != address ||
        entry.resource.load(std::memory_order_acquire) != resource)
      return nullptr;
    return resource;
  }
  void Remember(uintptr_t address, Resource* resource) {
    if (!lock_.try_lock()) return;
    Entry& entry = EntryOf(address);
    entry.resource.store(nullptr, std::memory_order_release);
    entry.address.store(address, std::memory_order_release);
    entry.resource.store(resource, std::memory_order_release);
    lock_.unlock();
  }
  void Forget(uintptr_t address) {
    Entry& entry = EntryOf(address);
    if (entry.address.load(std::memory_order_acquire) != address) return;
    std::lock_guard lock(lock_);
    if (entry.address.load(std::memory_order_relaxed) == address)
      entry.resource.store(nullptr, std::memory_order_release);
  }

 private:
  static constexpr size_t kEntries = 1024;
  struct Entry {
    std::atomic<uintptr_t> address{0};
    std::atomic<Resource*> resource{nullptr};
  };
  Entry& EntryOf(uintptr_t address) { return entries_[IndexOf(address)]; }
  const Entry& EntryOf(uintptr_t address) const { return entries_[IndexOf(address)]; }
  static size_t IndexOf(uintptr_t address) {
    static_assert(kEntries == size_t{1} << (64 - 54));
    return (address * 0x9e3779b97f4a7c15u) >> 54;
  }

  SpinLock lock_;
  Entry entries_[kEntries];
};

}  // namespace gpusan
