// The blocks of the C library's malloc that are too small to be recorded as host blocks. The word
// in front of a block has its size; blocks follow each other without gaps from the start of the
// heap.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gpusan {

namespace heap_chunks_internal {
extern std::atomic<size_t> recorded_from;
}  // namespace heap_chunks_internal

// States whether the C library serves malloc, and from which size on [bytes] blocks are recorded
// elsewhere. Until then, and with false and 0, nothing is found. Thread-safe.
void SetHeapChunks(bool from_libc, size_t recorded_from);

// Returns whether a block of this size may be in use without a record, also where a recorded block
// was released. Costs one load. Thread-safe.
inline bool MayBeUnrecorded(uint64_t bytes) {
  return bytes < heap_chunks_internal::recorded_from.load(std::memory_order_relaxed);
}

// Returns whether `bytes` from `address` on may reach past the end of the block that begins at
// `address`, by the word in front of it. The address may also be inside of a block: FindChunk
// decides. Costs a few loads after the first call, which must not be made inside of malloc.
// Thread-safe.
bool MayExceedChunk(uintptr_t address, uint64_t bytes);

// Returns the size [bytes] of the block that begins at `address`, as the allocator rounded it up; 0
// if no block begins there, or if that is not known. Follows the blocks from the start of the heap,
// but only for the first calls of the process. Requires MayExceedChunk. Thread-safe.
size_t FindChunk(uintptr_t address);

}  // namespace gpusan
