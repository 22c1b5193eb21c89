// The addresses with which kernels were launched, and whether more than one timeline used them.
//
// If several streams launch kernels with the same address, the sharing is deliberate: each kernel
// may use its own part of the memory at that address.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "tracker/model/clock.h"

namespace gpusan {

// Thread-safe, lock-free, of fixed size. An address whose entry may have been evicted counts as
// shared.
class LaunchBases {
 public:
  // Records a launch from `timeline`. `period` counts the waits of the host for the whole context;
  // launches of earlier periods do not count.
  void Note(uintptr_t address, TimelineId timeline, uint32_t period) {
    Entry& entry = EntryOf(address);
    const uint64_t now = uint64_t{period} << 32 | uint64_t{timeline} << 1;
    const uint64_t who = entry.who.load(std::memory_order_relaxed);
    if (entry.address.load(std::memory_order_acquire) == address) [[likely]] {
      if ((who | 1) == (now | 1)) return;
      entry.who.store(who >> 32 == period ? now | 1 : now, std::memory_order_relaxed);
      return;
    }
    const bool free = entry.address.load(std::memory_order_relaxed) == 0 || who >> 32 != period;
    entry.who.store(now | 1, std::memory_order_relaxed);
    entry.address.store(address, std::memory_order_release);
    if (free) entry.who.store(now, std::memory_order_relaxed);
  }
  // Returns true unless all launches with `address` in `period` are known to come from one
  // timeline.
  bool Shared(uintptr_t address, uint32_t period) const {
    const Entry& entry = EntryOf(address);
    if (entry.address.load(std::memory_order_acquire) != address) return true;
    const uint64_t who = entry.who.load(std::memory_order_relaxed);
    return who >> 32 == period && (who & 1) != 0;
  }

 private:
  static constexpr size_t kEntries = 4096;
  struct Entry {
    std::atomic<uintptr_t> address{0};
    std::atomic<uint64_t> who{0};  // period, timeline, shared
  };
  static size_t IndexOf(uintptr_t address) { return (address >> 4) * 0x9E3779B97F4A7C15u >> 52; }
  Entry& EntryOf(uintptr_t address) { return entries_[IndexOf(address)]; }
  const Entry& EntryOf(uintptr_t address) const { return entries_[IndexOf(address)]; }

  Entry entries_[kEntries];
};

}  // namespace gpusan
