// Whether released memory may be in use again unseen.
#pragma once

#include <cstdint>

namespace gpusan {

// True unless it is certain that [address, address + bytes), which the program gave back and which
// is in no known block, serves nothing else by now: small blocks, threads' stacks, and allocators
// that do not come through the host door may have it. Reads /proc/self/maps: for findings only.
// Thread-safe, allocates nothing.
bool MayBeReused(uintptr_t address, uint64_t bytes);

}  // namespace gpusan
