// Coarse record of the address ranges in which memory that the program names by address was ever
// released. Excludes quickly that an address belonged to released memory.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace gpusan {

// Thread-safe; takes no lock. One bit per GiB of the address space. Bits are never cleared.
class ReleasedRegions {
 public:
  // Returns the number of the release, which increases.
  uint32_t Add(uintptr_t address, uint64_t bytes) {
    const uint32_t number = count_.fetch_add(1, std::memory_order_release);
    if (bytes == 0 || address >= kEnd) return number;
    const uintptr_t last = std::min<uintptr_t>(address + (bytes - 1), kEnd - 1) >> kShift;
    for (uintptr_t region = address >> kShift; region <= last; ++region) {
      std::atomic<uint64_t>& word = words_[region / 64];
      const uint64_t bit = uint64_t{1} << region % 64;
      if ((word.load(std::memory_order_relaxed) & bit) == 0)
        word.fetch_or(bit, std::memory_order_release);
    }
    return number;
  }

  bool MayHold(uintptr_t address) const {
    const uintptr_t region = address >> kShift;
    return address >= kEnd ||
           (words_[region / 64].load(std::memory_order_acquire) >> region % 64 & 1) != 0;
  }

  // Number of calls of Add.
  uint32_t count() const { return count_.load(std::memory_order_acquire); }

 private:
  static constexpr int kShift = 30;
  static constexpr uintptr_t kEnd = uintptr_t{1} << 48;
  std::atomic<uint64_t> words_[(kEnd >> kShift) / 64] = {};
  std::atomic<uint32_t> count_{0};
};

}  // namespace gpusan
