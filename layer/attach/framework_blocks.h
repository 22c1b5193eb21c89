// Blocks that the allocators of frameworks hand out, as resources of their own.
#pragma once

#include <cstdint>

#include "tracker/calls/call.h"

namespace gpusan {

// Notes that the allocator hands out the block at `address` [bytes], or, with negative `bytes`,
// that it takes the block back. `call` is the function of the allocator; the two addresses are
// those of the caller's frame. Memory that gpusan cannot divide is left alone. Thread-safe; does
// nothing inside a ReentryGuard.
void NoteFrameworkBlock(const CallInfo& call, uintptr_t address, int64_t bytes,
                        const void* return_address, const void* frame_address);

}  // namespace gpusan
