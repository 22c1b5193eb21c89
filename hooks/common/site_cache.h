// What a thread keeps of the places that it captured, and the shortest way to one of them: for
// callers that capture in each of very many calls.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "hooks/common/modules.h"
#include "hooks/common/site.h"
#include "hooks/common/stack_walk.h"

namespace gpusan {
namespace site_internal {

// Slots are compared by so many at a time; most stacks that meet in a frame part again in the first
// ones.
inline constexpr int kGroup = 4;
static_assert(kMaxSiteFrames % kGroup == 0);
inline constexpr size_t kEntries = 1024;
inline constexpr size_t kSets = 128;
inline constexpr size_t kWays = 4;
inline constexpr size_t kStacks = 2048;

// A warm place: what the stack held when it was captured. `offset` counts words from the frame
// address up to the slot of a return address, ascending.
struct alignas(64) CacheEntry {
  static constexpr uintptr_t kMaxOffset = UINT16_MAX * sizeof(uintptr_t);
  uintptr_t return_address;
  uintptr_t frame_address;
  uint64_t check;          // what the slots hold, each times its factor, summed up
  uint64_t check_in_page;  // ... of those in the page of the frame itself, which is surely mapped
  uint64_t check_near;     // ... of the first kGroup
  uint32_t epoch;
  SiteId site;
 uint8_t slots : 7;       // when it is warm, whole groups of them: the last one again and again
  uint8_t own_stack : 1;  // it lies on the thread's own stack, which stays mapped
  uint8_t slots_in_page;
  uint16_t successor;  // the entry of the place that the thread captured next, the last time
  uint16_t offset[kMaxSiteFrames];
};
static_assert(sizeof(CacheEntry) == 128);

// The newest places that have the same return and frame address, or mix to the same number, as
// indices of entries: the one that was hit last, and a ring.
struct CacheSet {
  uint16_t last;
  uint16_t next_way;
  uint16_t ways[kWays];
};

// A stack by all its return addresses, and the entry that had it last.
struct KnownStack {
  uint64_t check;
  uint32_t epoch;
  SiteId site;
  uint16_t place;
};

// All zero is empty. Programs capture in much the same order again and again, from more stacks of
// one return and frame address than a set has ways: so each place remembers its successor.
struct Cache {
  uint16_t here;       // where the thread was last; all these are indices of entries
  uint16_t predicted;  // the successor of that
  uint16_t newest;     // entries are replaced in turn
  CacheSet sets[kSets];
  CacheEntry entries[kEntries];  // the first stays empty
  KnownStack stacks[kStacks];
  FrameRules rules;

  // The thread is at `place` now.
  void Arrive(uint16_t place) {
    entries[here].successor = place;
    here = place;
    predicted = entries[place].successor;
  }
};

// Initial-exec: a dynamic TLS access could allocate inside malloc. No destructor: usable until the
// thread is gone.
struct ThreadState {
  Cache* cache;
  uintptr_t
      stack_low;  // [stack_low, stack_high) is stack of this thread, mapped for as long as it lives
  uintptr_t stack_high;
  bool capturing;
  bool ended;  // the cache was given back at thread exit
};
extern __attribute__((tls_model("initial-exec"))) constinit thread_local ThreadState thread_state;

inline size_t SetOf(uintptr_t return_address, uintptr_t frame_address) {
  const uint64_t mixed = (return_address ^ (frame_address << 7)) * 0x9e3779b97f4a7c15u;
  return mixed >> 57;
}
static_assert(kSets == 1u << (64 - 57));

// Random and odd: two lists of words have the same sum of products by a chance of 2^-60 or so, and
// the products do not wait for each other.
struct Factors {
  uint64_t at[kMaxSiteFrames];
  constexpr Factors() : at() {
    uint64_t state = 0x243f6a8885a308d3u;
    for (uint64_t& factor : at) {
      state += 0x9e3779b97f4a7c15u;
      uint64_t mixed = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
      mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
      factor = (mixed ^ (mixed >> 31)) | 1;
    }
  }
};
inline constexpr Factors kFactors;

inline bool OnThreadStack(uintptr_t address) {
  return address - thread_state.stack_low < thread_state.stack_high - thread_state.stack_low;
}

// What a slot adds to the check as it is now.
__attribute__((no_sanitize("address", "thread"))) inline uint64_t SlotNow(const CacheEntry& entry,
                                                                          int i) {
  return reinterpret_cast<const uintptr_t*>(entry.frame_address)[entry.offset[i]] * kFactors.at[i];
}
[[gnu::always_inline]] inline uint64_t GroupNow(const CacheEntry& entry, int first) {
  return (SlotNow(entry, first) + SlotNow(entry, first + 1)) +
         (SlotNow(entry, first + 2) + SlotNow(entry, first + 3));
}

// The stack is that of `entry`, which lies on the thread's own.
inline bool HoldsOnThreadStack(const CacheEntry& entry) {
  if (entry.slots == 0) return true;
  uint64_t check = GroupNow(entry, 0);
  if (check != entry.check_near) return false;
  for (int i = kGroup; i < entry.slots; i += kGroup) check += GroupNow(entry, i);
  return check == entry.check;
}
// The same where it is likely.
[[gnu::always_inline]] inline bool LikelyHoldsOnThreadStack(const CacheEntry& entry) {
  uint64_t check = 0;
  for (int i = 0; i < entry.slots; i += kGroup) check += GroupNow(entry, i);
  return check == entry.check;
}

}  // namespace site_internal

// What captures have seen of the calling thread's own stack; may be nothing.
inline StackRange OwnStack() {
  return {site_internal::thread_state.stack_low, site_internal::thread_state.stack_high};
}

// CaptureSite of a whole stack, where its place is the one that this thread came to the last time
// when it was where it was last; kUnknownSite anywhere else, then CaptureSite answers. Calls
// nothing.
[[gnu::always_inline]] inline SiteId WarmSiteInline(const void* return_address,
                                                    const void* frame_address) {
  using namespace site_internal;
  ThreadState& thread = thread_state;
  Cache* const cache = thread.cache;
  if (cache == nullptr || thread.capturing) [[unlikely]]
    return kUnknownSite;
  // A signal's handler that comes now captures nothing, so that the entry stays as it is.
  thread.capturing = true;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const uint16_t place = cache->predicted;
  const CacheEntry& entry = cache->entries[place];
  SiteId site = kUnknownSite;
  if (entry.return_address == reinterpret_cast<uintptr_t>(return_address) &&
      entry.frame_address == reinterpret_cast<uintptr_t>(frame_address) &&
      entry.epoch == module_epoch.load(std::memory_order_acquire) && entry.own_stack &&
      LikelyHoldsOnThreadStack(entry)) [[likely]] {
    site = entry.site;
    cache->here = place;
    cache->predicted = entry.successor;
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);
  thread.capturing = false;
  return site;
}
[[gnu::noinline]] inline SiteId WarmSite(const void* return_address, const void* frame_address) {
  return WarmSiteInline(return_address, frame_address);
}

}  // namespace gpusan
