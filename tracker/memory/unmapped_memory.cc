// Host addresses without memory behind them.
#include "tracker/memory/unmapped_memory.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>

#include "tracker/base/process_maps.h"
#include "tracker/memory/fault_handlers.h"

namespace gpusan {
namespace {

constexpr uint64_t kLargestStack = uint64_t{1} << 36;

uint64_t StackLimit() {
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0) return kLargestStack;
  return std::min<uint64_t>(limit.rlim_cur, kLargestStack);
}

}  // namespace

namespace unmapped_internal {

constinit std::atomic<uint64_t> mapped_windows[kSlots] = {};
constinit std::atomic<uint64_t> mapped_pages[kSlots] = {};
constinit std::atomic<uint32_t> generation{1};

namespace {

// Returns whether 1 << `bits` bytes are mapped, and notes them if so.
bool ProbeRange(std::atomic<uint64_t>* slots, int bits, uintptr_t number) {
  const uint64_t entry = EntryOf(number);  // of before the probe
  // Of all calls that fail for a gap, this one is allowed in each process: allocators make it.
  // At most it reads pages of files ahead.
  if (madvise(reinterpret_cast<void*>(number << bits), size_t{1} << bits, MADV_WILLNEED) != 0 &&
      errno == ENOMEM)
    return false;
  slots[number % kSlots].store(entry, std::memory_order_relaxed);
  return true;
}

}  // namespace

bool Probe(uintptr_t address) {
  const int saved_errno = errno;
  const bool mapped = ProbeRange(mapped_windows, kWindowBits, address >> kWindowBits) ||
                      ProbeRange(mapped_pages, kPageBits, address >> kPageBits);
  errno = saved_errno;
  return !mapped;
}

}  // namespace unmapped_internal

bool IsUnmapped(uintptr_t address) {
  if (MayRepeatAccesses()) return false;
  bool stack_known = false, mapped = false;
  VisitMappings([&](const ProcessMapping& mapping) {
    const bool stack = mapping.name == "[stack]";
    stack_known |= stack;
    // The kernel extends the main thread's stack at the first access.
    const uint64_t room = stack ? StackLimit() : 0;
    mapped |= address < mapping.end && address >= mapping.begin - std::min(room, mapping.begin);
    return true;
  });
  return stack_known && !mapped;
}

}  // namespace gpusan
