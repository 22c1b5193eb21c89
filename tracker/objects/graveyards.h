// The most recently released objects. They explain a use after release.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>

#include "tracker/base/slab.h"
#include "tracker/base/spin_lock.h"
#include "tracker/memory/released_regions.h"
#include "tracker/objects/object.h"
#include "tracker/objects/resource.h"

namespace gpusan {

// Holds a bounded number of released objects. An object that is put in evicts the oldest one, which
// the caller recycles. Thread-safe.
//
// Memory that is found only by its handle goes to a graveyard of its thread, which needs no lock;
// all other objects go to one of a few locked graveyards.
class Graveyards {
 public:
  Graveyards() = default;
  ~Graveyards();
  Graveyards(const Graveyards&) = delete;
  Graveyards& operator=(const Graveyards&) = delete;

  // Puts a released object in. Returns the object that it evicts; nullptr: none. Both are memory,
  // or neither is.
  Object* Put(Object* object);
  // As Put, for memory that is found only by its handle.
  [[gnu::always_inline]] inline Resource* PutPlain(Resource* resource);
  // Removes a resource that this thread put in with PutPlain. Returns false if it is not in this
  // thread's own graveyard, or if `reusable()` is false.
  template <typename Reusable>
  [[gnu::always_inline]] inline bool TakeOwn(Resource* resource, Reusable reusable);
  // Removes the object. Returns false if it is in no graveyard of this thread and in no shared one.
  bool Take(const Object* object);
  // Removes one resource with addresses in the range and returns it; nullptr: there is none left.
  // `*from` is the position to continue at, at first 0.
  Resource* TakeIn(uintptr_t address, uint64_t bytes, size_t* from);

  // Returns the allocation with the address that was released last, if possible one that began
  // there; nullptr if there is none here.
  Resource* Find(uintptr_t address);
  // Returns the number of releases of memory with an address.
  uint32_t releases() const { return regions_.count(); }

 private:
  static constexpr size_t kShared = 8;
  static constexpr size_t kMemory = 256;
  static constexpr size_t kOther = 128;
  struct alignas(64) Shared {
    SpinLock lock;
    uint32_t next_memory = 0, next_other = 0;
    Object* memory[kMemory] = {};
    uint32_t releases[kMemory] = {};  // of `memory`, as ReleasedRegions::Add numbers them
    Object* other[kOther] = {};
  };
  // The first kOwners threads each have a graveyard for memory that is found only by its handle.
  // Only that thread accesses it, without a lock. Its content stays there after the thread has
  // ended.
  struct Own {
    uint32_t next;
    Resource* memory[kMemory];  // Resource::grave is the index
  };
  static_assert(kMemory == 256);
  static constexpr unsigned kOwners = 16;

  // Returns the graveyard of the thread; nullptr if it has none.
  [[gnu::always_inline]] inline Own* OwnOf(unsigned thread);
  [[gnu::noinline]] Own* MakeOwn(unsigned thread);

  Shared shared_[kShared];
  std::atomic<Own*> own_[kOwners] = {};  // by ThreadShard
  ReleasedRegions regions_;
};

inline Graveyards::Own* Graveyards::OwnOf(unsigned thread) {
  return thread < kOwners ? own_[thread].load(std::memory_order_relaxed) : nullptr;
}

inline Resource* Graveyards::PutPlain(Resource* resource) {
  const unsigned thread = ThreadShard();
  Own* own = OwnOf(thread);
  if (own == nullptr) [[unlikely]]
    own = MakeOwn(thread);
  if (own != nullptr) [[likely]] {
    const uint32_t at = own->next++ % kMemory;
    resource->grave = static_cast<uint8_t>(at);
    Resource* evicted = std::exchange(own->memory[at], resource);
    // The resource that is evicted after the next one is probably not in the cache: prefetch it.
    if (const Resource* next = own->memory[(at + 2) % kMemory]; next != nullptr) {
      const char* line = reinterpret_cast<const char*>(next);
      __builtin_prefetch(line, 1);
      __builtin_prefetch(line + 64, 1);
      __builtin_prefetch(line + 128, 1);
    }
    return evicted;
  }
  Shared& graveyard = shared_[thread % kShared];
  std::lock_guard lock(graveyard.lock);
  return static_cast<Resource*>(
      std::exchange(graveyard.memory[graveyard.next_memory++ % kMemory], resource));
}

template <typename Reusable>
inline bool Graveyards::TakeOwn(Resource* resource, Reusable reusable) {
  // No other thread changes a resource in this thread's own graveyard.
  Own* own = OwnOf(ThreadShard());
  if (own == nullptr || own->memory[resource->grave] != resource || !reusable()) [[unlikely]]
    return false;
  own->memory[resource->grave] = nullptr;
  return true;
}

}  // namespace gpusan
