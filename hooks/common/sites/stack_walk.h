// A fast walk over the frames of a stack, by unwind rules that each thread caches.
//
// x86-64 only: the walk fails on other architectures. The rules come from the unwinder's own tables
// (System V ABI x86-64 §3.7, DWARF 5 §6.4). The walk either yields the frames of the
// unwinder or fails. After a failure, the caller uses the unwinder. Code that a runtime compiled
// inside the process has no tables, and the unwinder ends there; the walk continues if that code
// keeps frame pointers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpusan {

// The rule that yields the caller of a frame, for one return address into the frame's function. 8
// bytes; all zero: not read yet.
struct FrameRule {
  enum Kind : uint8_t {
    kUnread,
    kByStackPointer,  // CFA = rsp + offset
    kByFramePointer,  // CFA = rbp + offset
    kByFrameSlot,     // CFA = *(rbp + offset): realigned stacks
    kOutermost,       // the stack ends here: the frame has no caller, or no unwind information
    kGenerated,       // code without unwind information that a runtime compiled: if rbp is that of
                      // a frame, the caller is the one of kByFramePointer; else the stack ends here
    kNoCode,          // no return address
    kUnsupported,
  };
  enum Saved : uint8_t {
    kKept,     // the caller's rbp is the rbp of this frame
    kAtCfa,    // ... is *(CFA + 8 * saved)
    kAtFrame,  // ... is *(rbp + 8 * saved)
  };
  int32_t offset = 0;  // bytes
  int16_t saved = 0;   // words
  Kind kind = kUnread;
  Saved frame_pointer = kKept;
};
static_assert(sizeof(FrameRule) == 8);

// Reads the rule for a return address from the tables of the file that contains it.
FrameRule ReadFrameRule(uintptr_t return_address);

// The cached rules of a thread by return address. All zero is empty, as AllocatePages returns it.
struct FrameRules {
  static constexpr size_t kEntries = 4096;
  struct Entry {
    uintptr_t return_address;
    FrameRule rule;
  };
  uint32_t epoch;  // module_epoch when the rules were read
  Entry entries[kEntries];
};

struct StackWalk {
  static constexpr int kMaxFrames = 32;
  int count = 0;
  int generated = -1;            // index of the innermost frame that is kGenerated; -1: none
  uintptr_t frames[kMaxFrames];  // return addresses, innermost first
  uintptr_t slots[kMaxFrames];   // where each is kept
};

// Walks at most `max_frames` frames, from the wrapper with this frame address that was called from
// `return_address`. [frame_address, stack_end) must be readable. Returns false if the walk fails.
bool WalkStack(FrameRules* rules, uintptr_t return_address, uintptr_t frame_address,
               uintptr_t stack_end, int max_frames, StackWalk* walk);

}  // namespace gpusan
