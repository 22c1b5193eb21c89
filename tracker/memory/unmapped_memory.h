// Host addresses without memory behind them: an access ends the process.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gpusan {

namespace unmapped_internal {
inline constexpr size_t kSlots = 256;
// Pages that were mapped when a probe met them, and the generation of the probe.
extern std::atomic<uint64_t> mapped_pages[kSlots];
extern std::atomic<uint32_t> generation;

inline uint64_t EntryOf(uintptr_t page) {
  return page << 16 | (generation.load(std::memory_order_relaxed) & 0xffff);
}
inline bool WasMapped(uintptr_t page) {
  return mapped_pages[page % kSlots].load(std::memory_order_relaxed) == EntryOf(page);
}
bool Probe(uintptr_t address);
}  // namespace unmapped_internal

// Returns false if the page of `address` is mapped, or was mapped at an earlier call and no
// intercepted call has unmapped memory since. True means that it may be unmapped: then IsUnmapped
// decides. Costs two loads for a page that it knows, and a system call for another one.
// Thread-safe.
inline bool MayBeUnmapped(uintptr_t address) {
  return !unmapped_internal::WasMapped(address >> 12) && unmapped_internal::Probe(address);
}

// Returns whether an access to the byte at `address` would surely end the process: no memory is
// mapped there, the stack of the main thread cannot grow to it, and no handler of SIGSEGV can map
// memory there.
// Reads /proc/self/maps, so call it only after MayBeUnmapped. Thread-safe.
bool IsUnmapped(uintptr_t address);

// Call after memory was unmapped.
inline void ForgetMappedPages() {
  unmapped_internal::generation.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace gpusan
