// Where pending commands may use host blocks that are too small to be recorded: a filter for their
// release, by page.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gpusan {

namespace small_uses_internal {
inline constexpr size_t kPages = 4096;
extern std::atomic<bool> any;
extern std::atomic<uint64_t> pages[kPages / 64];

inline std::atomic<uint64_t>& WordOf(uintptr_t page) { return pages[page % kPages / 64]; }
inline uint64_t BitOf(uintptr_t page) { return uint64_t{1} << page % 64; }
inline bool Has(uintptr_t page) {
  return (WordOf(page).load(std::memory_order_relaxed) & BitOf(page)) != 0;
}
}  // namespace small_uses_internal

// A command that may be pending when its call returns uses the memory at `address`, which may be in
// a small block. Thread-safe.
void NoteSmallUseSlow(uintptr_t address);
inline void NoteSmallUse(uintptr_t address) {
  if (!small_uses_internal::Has(address >> 12)) [[unlikely]]
    NoteSmallUseSlow(address);
}

// Returns false if no command noted with NoteSmallUse is known to use memory in the pages of
// [begin, end), a small block. Costs one load while no use was noted, and three otherwise.
// Thread-safe.
inline bool MayBeInSmallUse(uintptr_t begin, uintptr_t end) {
  using namespace small_uses_internal;
  return any.load(std::memory_order_relaxed) && (Has(begin >> 12) || Has((end - 1) >> 12));
}

// No command is pending that uses the page of `address`. Thread-safe.
void ForgetSmallUses(uintptr_t address);

}  // namespace gpusan
