// Call sites: interned call stacks of the program. A thread unwinds each stack once and afterwards
// finds it by return address and frame address. In a thread that runs Python, a call site also has
// the Python frames, and two positions in Python code are two call sites.
//
// Thread-safe. Capture does not allocate through the program's malloc and takes no lock of the
// loader. A capture that interrupts another one on the same thread (in a signal handler) returns
// kUnknownSite.
#pragma once

#include <cstdint>

#include "tracker/model/ids.h"

namespace gpusan {

// One frame as recorded: the loaded file, and the *return address* as a virtual address of that
// file, as addr2line expects it, not minus one. Module 0 is unknown: then `offset` is the absolute
// address.
struct SiteFrame {
  uint32_t module = 0;
  uint64_t offset = 0;
};

// A loaded file at the time of capture. Survives dlclose. `build_id` is lower-case hexadecimal and
// may be empty.
struct SiteModule {
  uint32_t id = 0;
  const char* path = "";
  const char* build_id = "";
};

// A position in a function that belongs to no loaded file, such as a Python function. Line and
// column begin at 1; 0 is unknown.
struct SourceFrame {
  uint32_t function = 0;
  uint32_t line = 0;
  uint32_t column = 0;
};

// A function of no loaded file. The texts are never freed. `line` is the first line.
struct SiteFunction {
  uint32_t id = 0;
  const char* language = "";
  const char* name = "";
  const char* file = "";
  int line = 0;
};

inline constexpr int kMaxSiteFrames = 32;        // of loaded files
inline constexpr int kMaxSiteSourceFrames = 32;  // of functions without a loaded file

// Interns the stack of a call whose return address is `return_address` and whose wrapper has the
// frame address `frame_address` (__builtin_frame_address(0) of the exported wrapper). The first
// frame of the site is the caller of the wrapper. Keeps at most `max_frames` frames. A warm hit
// compares the return addresses in the stack again, so that two paths which meet in the same frame
// stay two sites: on x86-64 all of them; on a stack that is not the thread's own, those in the page
// of the frame.
SiteId CaptureSite(const void* return_address, const void* frame_address,
                   int max_frames = kMaxSiteFrames);

// Returns the site of the return address alone, without unwinding: a few ns once warm.
SiteId CaptureCaller(const void* return_address);

// For native code that makes several calls before it returns to Python: until ReleasePythonFrames,
// captures of the calling thread take its Python frames for those of `last`, its last captured
// site, instead of reading them again. Does nothing if `last` is another site.
void HoldPythonFrames(SiteId last);
void ReleasePythonFrames();

// Sets a function that each thread which has captured a site calls when it ends, after its
// functions have returned. `frame` is an address of its stack: all memory of its functions is
// below. nullptr: none.
void SetThreadEndObserver(void (*observer)(uintptr_t frame));

// Bytes of a stack.
struct StackRange {
  uintptr_t low = 0, high = 0;
  bool Holds(uintptr_t address) const { return address - low < high - low; }
};

// Interns the stack of the calling thread whose frames are `frames`, innermost first, with the
// Python frames of the thread. May change `frames`. For a thread that a fault of the program
// interrupted in a native function.
SiteId InternStack(SiteFrame* frames, int count);

// Writes the frames of a site in loaded files, innermost first. Returns the number of frames
// written
// (<= capacity).
int SiteFrames(SiteId site, SiteFrame* frames, int capacity);

// The same for its frames in functions that belong to no loaded file.
int SiteSourceFrames(SiteId site, SourceFrame* frames, int capacity);

// Returns the function with the id of a SourceFrame; nullptr for 0 or an unknown id.
const SiteFunction* SiteFunctionById(uint32_t id);

// Returns the module with the id of a SiteFrame; nullptr for 0 or an unknown id. The pointer is
// valid as long as the process lives.
const SiteModule* SiteModuleById(uint32_t id);

// Returns the number of stacks that were dropped because a table was full.
uint64_t SitesDropped();

// Invalidates everything cached by code address, and forgets an interpreter that was unloaded. Call
// it after dlclose.
void ForgetUnloadedModules();

// Reinitialises the locks in the child of a fork, where other threads of the parent may have held
// them. Sites stay valid.
void ResetSitesAfterFork();

}  // namespace gpusan
