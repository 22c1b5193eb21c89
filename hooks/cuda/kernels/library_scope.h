// The memory whose accesses the current library call of a thread has recorded
// (libraries/library_call.h). Launches inside the call hold this memory and record no accesses to
// it. Thread-safe.
#pragma once

#include <cstdint>

#include "absl/types/span.h"

namespace gpusan::cuda {

// One range of addresses, from `begin` up to, but not including, `end`.
struct LibraryRange {
  uintptr_t begin = 0;
  uintptr_t end = 0;
};

// The number of the library call in which the calling thread is running; 0: none.
extern __attribute__((tls_model("initial-exec"))) constinit thread_local uint64_t library_scope;

// Begins a scope in the calling thread, which must be in none. Keeps at most kMostRanges ranges.
// Deferred launches look the ranges up by the number of the scope. The newest 64 scopes of each
// thread can be looked up.
inline constexpr uint32_t kMostRanges = 8;
void BeginLibraryScope(absl::Span<const LibraryRange> ranges);
inline void EndLibraryScope() { library_scope = 0; }

// Copies the ranges of a scope into `ranges`, which has room for kMostRanges. Returns their number:
// 0 for scopes that are not known any more.
uint32_t RangesOfScope(uint64_t scope, LibraryRange* ranges);

}  // namespace gpusan::cuda
