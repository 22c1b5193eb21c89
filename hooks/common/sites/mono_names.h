// Methods that mono compiled: their names, and the frames of a thread that runs them. Both come
// from functions that mono exports.
//
// Thread-safe.
#pragma once

#include <cstdint>
#include <string_view>

#include "hooks/common/sites/perf_map.h"
#include "hooks/common/sites/stack_walk.h"

namespace gpusan {

// A position in a method. `line` is in function.file, 0 if it is not known; `offset` counts from
// the start of the code [bytes].
struct MonoPosition {
  JitFunction function;
  uint32_t line = 0;
  uint64_t offset = 0;
};

// Looks for mono among the loaded files. Takes the lock of the loader. Idempotent.
void FindMono();
bool HasMono();

// Replaces the callers of the innermost compiled frame by the methods that called it. Compiled
// code of mono has neither unwind tables nor frame pointers. `walk` must be one of the calling
// thread, whose stack is readable up to `stack_end`. Leaves `walk` as it is on threads that mono
// does not know, and if mono's innermost method is another one.
void AddMonoCallers(StackWalk* walk, uintptr_t stack_end, int max_frames);

// Finds the method of an address in this process. Allocates memory. Returns false for an address of
// no method, in a process where FindMono found none, on a thread that mono does not know, and once
// mono shuts down. Takes locks of mono.
bool FindMonoPosition(uint64_t address, MonoPosition* position);

// Parses what mono_pmip returned:
// " Program:Train (ulong,intptr) [{0x5581} + 0x4f] [/src/a.cs :: 12u] (0x402 0x460) [...]".
// Returns false for text about no method.
bool ParseMonoPosition(std::string_view text, MonoPosition* position);

}  // namespace gpusan
