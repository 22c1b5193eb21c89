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
  uint64_t offset = 0;    // from the start of the function [bytes]
};

// Looks for the function that contains the call before `return_address`, which is in no loaded
// file, and remembers it. Allocates memory, reads a file and takes locks of the loader and of the
// runtime: the caller must hold no lock. Keeps errno.
void FindJitPosition(uint64_t return_address);

// The same with mono's look-up only. Precondition: mono knows the calling thread. Call it when the
// site is captured, because the thread that reports the site may be unknown to mono. Takes locks of
// mono.
void FindMonoName(uint64_t return_address);

// Returns the last result of FindJitPosition for the address. Takes only a lock of this file.
JitPosition KnownJitPosition(uint64_t return_address);

// Deletes the map of this process in /tmp. Keeps a map that an option on the command line of the
// process requested. Precondition: `gpusan run` made the runtime write the map.
void RemovePerfMap();

}  // namespace gpusan
