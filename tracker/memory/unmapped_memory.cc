// Host addresses without memory behind them.
#include "tracker/memory/unmapped_memory.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>

#include "tracker/base/process_maps.h"

namespace gpusan {
namespace {

constexpr uintptr_t kPage = 4096;
constexpr uint64_t kLargestStack = uint64_t{1} << 36;

// Returns whether the process may map memory at a fault. A handler that does so gets the address,
// and stays installed.
bool HandlesFaults() {
  struct sigaction action;
  if (sigaction(SIGSEGV, nullptr, &action) != 0) return true;
  return (action.sa_flags & SA_SIGINFO) != 0 && (action.sa_flags & SA_RESETHAND) == 0;
}

uint64_t StackLimit() {
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0) return kLargestStack;
  return std::min<uint64_t>(limit.rlim_cur, kLargestStack);
}

}  // namespace

constinit std::atomic<uint64_t> unmapped_internal::mapped_pages[kSlots] = {};
constinit std::atomic<uint32_t> unmapped_internal::generation{1};

bool unmapped_internal::Probe(uintptr_t address) {
  const uintptr_t page = address / kPage;
  const uint64_t entry = EntryOf(page);  // of before the probe
  const int saved_errno = errno;
  unsigned char resident;
  const bool unmapped =
      mincore(reinterpret_cast<void*>(page * kPage), kPage, &resident) != 0 && errno == ENOMEM;
  errno = saved_errno;
  if (!unmapped) mapped_pages[page % kSlots].store(entry, std::memory_order_relaxed);
  return unmapped;
}

bool IsUnmapped(uintptr_t address) {
  if (HandlesFaults()) return false;
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
