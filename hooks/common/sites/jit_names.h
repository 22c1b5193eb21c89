// Names of functions that a runtime compiled inside the process: C#, JavaScript, Java, Julia.
//
// They come from mono's own look-up (mono_names.h), from the file for perf (perf_map.h), or from
// the images for a debugger (gdb_images.h). Nothing is read before the first report of a call site
// with compiled code. Thread-safe.
#pragma once

#include <cstdint>

namespace gpusan {

// The language of these functions (SiteFunction).
inline constexpr char kJitLanguage[] = "jit";

struct JitPosition {
  uint32_t function = 0;  // of SiteFunctionById; 0: no name is known
  uint32_t line = 0;      // in the function's file; 0: not known
  uint64_t offset = 0;    // from the begin of the function [bytes]
};

// Looks for the function that contains the call before `return_address`, which is in no loaded
// file, and remembers it. Allocates memory, reads a file and takes locks of the loader and of the
// runtime: the caller must hold no lock. Keeps errno.
void FindJitPosition(uint64_t return_address);

// The same by mono's look-up only. Call it on a thread of the program that mono knows, because
// another thread may report the call site. Takes locks of mono.
void FindMonoName(uint64_t return_address);

// Returns what FindJitPosition found for that address last. Takes no lock but its own.
JitPosition KnownJitPosition(uint64_t return_address);

// Deletes the map of this process in /tmp, unless the command line of the process asks for it. Only
// for a map that `gpusan run` made the runtime write.
void RemovePerfMap();

}  // namespace gpusan
