// Call stacks of the program, interned: captured once per place, afterwards found by return and
// frame address.
//
// Thread-safe. Capture never allocates through the program's malloc and takes no lock of the
// loader's. A capture that interrupts another one on the same thread (a signal handler) answers
// kUnknownSite.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracker/model/ids.h"

namespace gpusan {

// One frame as recorded: the loaded file and the offset of the *return address* in it (file virtual
// address, as addr2line wants it, not minus one). Module 0 is unknown; then `offset` is the
// absolute address.
struct SiteFrame {
  uint32_t module = 0;
  uint64_t offset = 0;
};

// A loaded file at the time of capture. Survives dlclose. `build_id` is lower-case hex, may be
// empty.
struct SiteModule {
  uint32_t id = 0;
  const char* path = "";
  const char* build_id = "";
};

inline constexpr int kMaxSiteFrames = 32;

// Interns the stack of a call whose return address is `return_address` and whose wrapper has the
// frame address `frame_address` (__builtin_frame_address(0) of the exported wrapper). The first
// frame of the site is the caller of the wrapper. A warm hit re-checks the return addresses kept in
// the stack (x86-64: all of them, on a stack that is not the thread's own those in the frame's
// page), so that two paths that meet in the same frame stay two sites. At most `max_frames` frames.
SiteId CaptureSite(const void* return_address, const void* frame_address,
                   int max_frames = kMaxSiteFrames);

// The site of the return address alone: no unwinding, a few ns once warm.
SiteId CaptureCaller(const void* return_address);

// Bytes of a stack.
struct StackRange {
  uintptr_t low = 0, high = 0;
  bool Holds(uintptr_t address) const { return address - low < high - low; }
};

// The frames of a site, innermost first. Returns the number written (<= capacity).
int SiteFrames(SiteId site, SiteFrame* frames, int capacity);

// Module by the id in SiteFrame; nullptr for 0 or an unknown id. The pointer stays valid for the
// process's life.
const SiteModule* SiteModuleById(uint32_t id);

// Stacks that were not kept because a table was full.
uint64_t SitesDropped();

// Files may have left the address space: what was cached by address is looked at anew. Called after
// dlclose.
void ForgetUnloadedModules();

// In the child of a fork: other threads may have held locks in the moment of the fork. Sites stay
// valid.
void ResetSitesAfterFork();

}  // namespace gpusan
