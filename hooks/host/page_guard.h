// Pages of the program that are protected for a while, so that its first access to them is noticed
// at the instruction.
//
// An access to a guarded page faults; the handler of SIGSEGV takes the guard away, notes who it
// was, and the instruction runs again, so that the program goes on unharmed. Faults of others go to
// the handler that was there before, which may be the program's; one that the program installs
// later is put behind this one by the next Guard. What the kernel does with guarded pages for the
// program (read, write and the like) fails with EFAULT: guard only what the program must not touch.
//
// x86-64 only; elsewhere nothing can be guarded. Thread-safe; the handler is async-signal-safe as
// long as nothing that holds a lock of gpusan touches a guarded page.
#pragma once

#include <cstdint>
#include <vector>

#include "tracker/model/ids.h"

namespace gpusan {

struct GuardedAccess {
  uint64_t tag = 0;    // of the guard
  uint32_t state = 0;  // ... then
  uintptr_t address = 0;
  bool write = false;
  SiteId site = kUnknownSite;
};

class PageGuards {
 public:
  // Guards the whole pages of [begin, end), which are readable and writable, against writes, and
  // with `reads` against reads too. False: there is no whole page, or no room. `tag` is the
  // caller's and need not be unique.
  static bool Guard(uintptr_t begin, uintptr_t end, bool reads, uint64_t tag);
  // What accesses through guards of that tag are noted with from now on; 0 at first. False: there
  // is none any more.
  static bool SetState(uint64_t tag, uint32_t state);
  static void Remove(uint64_t tag);
  // Takes away all guards that touch [begin, end), before the mapping goes.
  static void RemoveIn(uintptr_t begin, uintptr_t end);
  // The accesses since the last call, at most kMaxAccesses; those of gpusan and of drivers inside a
  // watched call are none.
  static std::vector<GuardedAccess> Take();
  // There may be something for Take.
  static bool Noticed();

  static constexpr int kMaxGuards = 256;
  static constexpr int kMaxAccesses = 64;
};

}  // namespace gpusan
