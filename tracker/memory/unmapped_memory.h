// Host addresses without memory behind them: an access ends the process.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gpusan {

namespace unmapped_internal {
inline constexpr int kPageBits = 12;
inline constexpr int kWindowBits = 18;
inline constexpr size_t kSlots = 256;
// Windows and pages that were mapped as a whole when a probe met them, each with the generation of
// the probe.
extern std::atomic<uint64_t> mapped_windows[kSlots];
extern std::atomic<uint64_t> mapped_pages[kSlots];
extern std::atomic<uint32_t> generation;

inline uint64_t EntryOf(uintptr_t number) {
  return number << 16 | (generation.load(std::memory_order_relaxed) & 0xffff);
}
inline bool WasMapped(const std::atomic<uint64_t>* slots, uintptr_t number) {
  return slots[number % kSlots].load(std::memory_order_relaxed) == EntryOf(number);
}
bool Probe(uintptr_t address);
}  // namespace unmapped_internal

// Returns false if the page of `address` is mapped, or was mapped at an earlier call and no
// intercepted call has unmapped memory since. True means that it may be unmapped: then IsUnmapped
// decides. Costs four loads for memory that it knows, and one or two system calls for a new window
// of 256 KiB or, in a window with gaps, for a new page. Thread-safe.
inline bool MayBeUnmapped(uintptr_t address) {
  using namespace unmapped_internal;
  return !WasMapped(mapped_windows, address >> kWindowBits) &&
         !WasMapped(mapped_pages, address >> kPageBits) && Probe(address);
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
