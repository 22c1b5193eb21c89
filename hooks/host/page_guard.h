// Page guards: protected pages of the program, whose first access is detected at the instruction.
//
// An access to a guarded page faults. The SIGSEGV handler removes the guard and records the access,
// and the instruction runs again, so that the program continues undisturbed. Other faults go to the
// handler that was installed before, which may be the program's. If the program installs a handler
// later, the next Guard chains it behind this one. System calls that access guarded pages for the
// program fail with EFAULT, except those that call NoteAccess before: guard only pages that the
// program must not access.
//
// x86-64 only: Guard fails on other architectures. Thread-safe. The handler is async-signal-safe as
// long as no code that holds a lock of gpusan touches a guarded page.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "tracker/model/ids.h"

namespace gpusan {

namespace page_guard_internal {
extern constinit std::atomic<int> guards;  // in use
}

struct GuardedAccess {
  uint64_t tag = 0;    // of the guard
  uint32_t state = 0;  // of the guard at the time of the access
  uintptr_t address = 0;
  bool write = false;
  SiteId site = kUnknownSite;
};

class PageGuards {
 public:
  // The top byte of a tag names its owner.
  static constexpr uint64_t kVulkanTags = uint64_t{1} << 56;
  static constexpr uint64_t kCudaTags = uint64_t{2} << 56;
  static constexpr uint64_t kOpenClTags = uint64_t{3} << 56;

  // Guards the whole pages of [begin, end) against writes, and with `reads` against reads too. The
  // pages must be readable and writable. `tag` belongs to the caller and need not be unique.
  // If the range contains no whole page and `parts` is set, guards the bytes of the range alone. An
  // access to other bytes of their pages is not recorded, but suspends the guards of the pages. A
  // system call that accesses the pages without NoteAccess fails.
  // Returns false, without effect, if the range contains no whole page and `parts` is not set, or
  // if kMaxGuards are in use.
  static bool Guard(uintptr_t begin, uintptr_t end, bool reads, uint64_t tag, bool parts = false);
  // Ends the suspension of all guards. Costs one load if there is none.
  static void Resume();
  // Sets the state that is recorded with later accesses to guards with the tag; it is 0 at first.
  // Returns false if no guard has the tag.
  static bool SetState(uint64_t tag, uint32_t state);
  static void Remove(uint64_t tag);
  // Removes all guards that overlap [begin, end). Call it before the range is unmapped.
  static void RemoveIn(uintptr_t begin, uintptr_t end);
  // Returns whether there is a guard. Costs one load.
  static bool Any() { return page_guard_internal::guards.load(std::memory_order_relaxed) != 0; }
  // Records an access of the program to [begin, end) and removes the guards in this range. Call it
  // for memory that a system call accesses. `caller`: the return address of the function that the
  // program called. Keeps errno. Does nothing inside of a ReentryGuard.
  static void NoteAccess(uintptr_t begin, uint64_t bytes, bool write, const void* caller);
  // Returns the accesses through guards of that owner since the last call, at most kMaxAccesses.
  // Accesses by gpusan, and by drivers inside an intercepted call, are not recorded.
  static std::vector<GuardedAccess> Take(uint64_t owner);
  // Returns false if there is no access to take, of any owner.
  static bool Noticed();

  static constexpr int kMaxGuards = 1024;
  static constexpr int kMaxAccesses = 64;
};

}  // namespace gpusan
