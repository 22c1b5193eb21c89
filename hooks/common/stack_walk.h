// A quick walk over the frames of a stack, by unwind rules that a thread keeps once they were read.
//
// x86-64 only; elsewhere every walk is refused. The rules come from the same tables as the
// unwinder's (System V ABI x86-64 §3.7, DWARF 5 §6.4) and yield the same frames, or the walk is
// refused and the unwinder has to be asked.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpusan {

// How a frame's caller is found from a return address into it. 8 bytes; all zero: not read yet.
struct FrameRule {
  enum Kind : uint8_t {
    kUnread,
    kByStackPointer,  // CFA = rsp + offset
    kByFramePointer,  // CFA = rbp + offset
    kByFrameSlot,     // CFA = *(rbp + offset): realigned stacks
    kOutermost,       // nobody called it, or nothing is known of it: the stack ends here
    kUnsupported,
  };
  enum Saved : uint8_t {
    kKept,     // the caller's rbp is this frame's
    kAtCfa,    // ... is *(CFA + 8 * saved)
    kAtFrame,  // ... is *(rbp + 8 * saved)
  };
  int32_t offset = 0;  // bytes
  int16_t saved = 0;   // words
  Kind kind = kUnread;
  Saved frame_pointer = kKept;
};
static_assert(sizeof(FrameRule) == 8);

// The rule for a return address, from the tables of the file it lies in.
FrameRule ReadFrameRule(uintptr_t return_address);

// A thread's rules by return address. For AllocatePages: all zero is empty.
struct FrameRules {
  static constexpr size_t kEntries = 4096;
  struct Entry {
    uintptr_t return_address;
    FrameRule rule;
  };
  uint32_t epoch;  // of the loaded files, when they were read
  Entry entries[kEntries];
};

struct StackWalk {
  static constexpr int kMaxFrames = 32;
  int count = 0;
  uintptr_t frames[kMaxFrames];  // return addresses, innermost first
  uintptr_t slots[kMaxFrames];   // where each is kept
};

// Walks from the wrapper with this frame address that was called from `return_address`, at most
// `max_frames`. [frame_address, stack_end) is readable. False: refused.
bool WalkStack(FrameRules* rules, uintptr_t return_address, uintptr_t frame_address,
               uintptr_t stack_end, int max_frames, StackWalk* walk);

}  // namespace gpusan
