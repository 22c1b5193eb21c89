// The cache of captured stacks that each thread has, and its fast path, for callers that capture a
// stack in every call.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "hooks/common/sites/modules.h"
#include "hooks/common/sites/python.h"
#include "hooks/common/sites/site.h"
#include "hooks/common/sites/stack_walk.h"

namespace gpusan {
namespace site_internal {

// The number of slots that are compared at a time. Most stacks that meet in a frame differ in the
// first slots.
inline constexpr int kGroup = 4;
static_assert(kMaxSiteFrames % kGroup == 0);
inline constexpr size_t kEntries = 1024;
inline constexpr size_t kSets = 128;
inline constexpr size_t kWays = 4;
inline constexpr size_t kStacks = 2048;

// A warm stack: the contents of its slots at capture. `offset` is the distance [words] from the
// frame address up to the slot of a return address, ascending.
struct alignas(64) CacheEntry {
  static constexpr uintptr_t kMaxOffset = UINT16_MAX * sizeof(uintptr_t);
  uintptr_t return_address;
  uintptr_t frame_address;
  uint64_t check;          // sum of the contents of all slots, each times its factor
  uint64_t check_in_page;  // ... of the slots in the page of the frame, which is always mapped
  uint64_t check_near;     // ... of the first kGroup slots
  uint64_t python;         // PythonPosition()
  uint32_t epoch;
  SiteId site;
 uint8_t slots : 7;       // a multiple of kGroup in a warm entry, which repeats the last slot
  uint8_t own_stack : 1;  // the frame is on the thread's own stack, which stays mapped
  uint8_t slots_in_page;
  uint16_t successor;  // the entry that the thread captured next when it was last here
  uint16_t offset[kMaxSiteFrames];
};
static_assert(sizeof(CacheEntry) == 128);

// The newest entries whose return address, frame address and Python position have the same hash, as
// indices of entries: the entry of the last hit, and a ring.
struct CacheSet {
  uint16_t last;
  uint16_t next_way;
  uint16_t ways[kWays];
};

// A stack, identified by all its return addresses and its Python frames, and the newest entry that
// held it.
struct KnownStack {
  uint64_t check;
  uint32_t epoch;
  SiteId site;
  uint16_t place;
};

// All zero is empty. Programs repeat captures in nearly the same order, from more stacks with the
// same return and frame address than a set has ways: so each entry remembers its successor.
struct Cache {
  uint16_t here;         // index of the entry of the last capture
  uint16_t predicted;    // index of its successor
  uint16_t newest;       // index of the entry that was replaced last; they are replaced in turn
  uint64_t held_python;  // HoldPythonFrames: the position; 0: none is held
  CacheSet sets[kSets];
  CacheEntry entries[kEntries];  // the first stays empty
  KnownStack stacks[kStacks];
  FrameRules rules;

  uint64_t PythonPositionNow() const { return held_python != 0 ? held_python : PythonPosition(); }
  // Records that the thread captured the stack of entry `place`.
  void Arrive(uint16_t place) {
    entries[here].successor = place;
    here = place;
    predicted = entries[place].successor;
  }
};

// Initial-exec: a dynamic TLS access could allocate inside malloc. No destructor: usable until the
// thread has ended.
struct ThreadState {
  Cache* cache;
  // [stack_low, stack_high) is the thread's own stack, which is mapped while the thread lives.
  uintptr_t stack_low;
  uintptr_t stack_high;
  bool capturing;
  bool ended;  // the cache was released at thread exit
};
extern __attribute__((tls_model("initial-exec"))) constinit thread_local ThreadState thread_state;

inline size_t SetOf(uintptr_t return_address, uintptr_t frame_address, uint64_t python) {
  const uint64_t mixed = (return_address ^ (frame_address << 7) ^ python) * 0x9e3779b97f4a7c15u;
  return mixed >> 57;
}
static_assert(kSets == 1u << (64 - 57));

// Random odd factors: two lists of words have the same sum of products with a probability of about
// 2^-60, and the processor computes the products in parallel.
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

// Returns what the current contents of a slot add to the check.
__attribute__((no_sanitize("address", "thread"))) inline uint64_t SlotNow(const CacheEntry& entry,
                                                                          int i) {
  return reinterpret_cast<const uintptr_t*>(entry.frame_address)[entry.offset[i]] * kFactors.at[i];
}
[[gnu::always_inline]] inline uint64_t GroupNow(const CacheEntry& entry, int first) {
  return (SlotNow(entry, first) + SlotNow(entry, first + 1)) +
         (SlotNow(entry, first + 2) + SlotNow(entry, first + 3));
}

// Returns whether the stack is still that of `entry`, which is on the thread's own stack.
inline bool HoldsOnThreadStack(const CacheEntry& entry) {
  if (entry.slots == 0) return true;
  uint64_t check = GroupNow(entry, 0);
  if (check != entry.check_near) return false;
  for (int i = kGroup; i < entry.slots; i += kGroup) check += GroupNow(entry, i);
  return check == entry.check;
}
// The same for the case where a hit is likely: without an early exit.
[[gnu::always_inline]] inline bool LikelyHoldsOnThreadStack(const CacheEntry& entry) {
  uint64_t check = 0;
  for (int i = 0; i < entry.slots; i += kGroup) check += GroupNow(entry, i);
  return check == entry.check;
}

}  // namespace site_internal

// Returns the known part of the calling thread's own stack; may be empty.
inline StackRange OwnStack() {
  return {site_internal::thread_state.stack_low, site_internal::thread_state.stack_high};
}

namespace site_internal {

// WarmSiteInline for threads that may have Python frames, and for processes without Python, which
// then have no entry with Python frames.
template <bool kPython>
[[gnu::always_inline]] inline SiteId PredictedSite(const void* return_address,
                                                   const void* frame_address) {
  ThreadState& thread = thread_state;
  Cache* const cache = thread.cache;
  if (cache == nullptr || thread.capturing) [[unlikely]]
    return kUnknownSite;
  // A signal handler that interrupts here captures nothing, so that the entry does not change.
  thread.capturing = true;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const uint16_t place = cache->predicted;
  const CacheEntry& entry = cache->entries[place];
  SiteId site = kUnknownSite;
  if (entry.return_address == reinterpret_cast<uintptr_t>(return_address) &&
      entry.frame_address == reinterpret_cast<uintptr_t>(frame_address) &&
      entry.epoch == module_epoch.load(std::memory_order_acquire) && entry.own_stack &&
      LikelyHoldsOnThreadStack(entry) && (!kPython || entry.python == cache->PythonPositionNow()))
      [[likely]] {
    site = entry.site;
    cache->here = place;
    cache->predicted = entry.successor;
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);
  thread.capturing = false;
  return site;
}

// Apart, so that the path without Python saves no registers for a call.
[[gnu::noinline]] inline SiteId PredictedSiteWithPython(const void* return_address,
                                                        const void* frame_address) {
  return PredictedSite<true>(return_address, frame_address);
}

}  // namespace site_internal

// CaptureSite for a stack that is the predicted successor of the thread's last capture;
// kUnknownSite otherwise: then call CaptureSite. Calls no function in a process without Python.
[[gnu::always_inline]] inline SiteId WarmSiteInline(const void* return_address,
                                                    const void* frame_address) {
  if (HasPython()) [[unlikely]]
    return site_internal::PredictedSiteWithPython(return_address, frame_address);
  return site_internal::PredictedSite<false>(return_address, frame_address);
}
[[gnu::noinline]] inline SiteId WarmSite(const void* return_address, const void* frame_address) {
  return WarmSiteInline(return_address, frame_address);
}

}  // namespace gpusan
