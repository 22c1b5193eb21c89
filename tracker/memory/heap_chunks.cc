// The blocks of the C library's malloc that are too small to be recorded as host blocks.
#include "tracker/memory/heap_chunks.h"

#include <unistd.h>

#include <atomic>

#include "tracker/base/process_maps.h"

namespace gpusan {
namespace {

// Chunks of glibc's main heap: a word of another chunk, the size with three flags, the block.
constexpr size_t kHeader = 16, kSmallest = 32, kFlags = 7, kOtherHeap = 4, kMapped = 2;
// Blocks of at least this size are recorded elsewhere, or mapped.
constexpr size_t kLargest = size_t{128} << 10;
constexpr uintptr_t kHeapSpan = uintptr_t{1} << 38;  // the heap is not larger [bytes]
constexpr int kMostWalks = 64;                       // of the process
constexpr int kMostChunks = 1 << 18;                 // of a walk

constinit std::atomic<bool> g_from_libc{false};
constinit std::atomic<int> g_walks{0};

uintptr_t FindHeap() {
  uintptr_t begin = 0;
  VisitMappings([&](const ProcessMapping& mapping) {
    if (mapping.name == "[heap]") begin = mapping.begin;
    return begin == 0;
  });
  return begin;
}

// Returns the start of the heap; 0: chunks are not known.
uintptr_t HeapBegin() {
  if (!g_from_libc.load(std::memory_order_relaxed)) return 0;
  static const uintptr_t begin = FindHeap();
  return begin;
}

// The size of the chunk whose block begins at `block`, with its flags. The memory may be that of
// any object, which other threads may change.
__attribute__((no_sanitize("address", "thread"))) size_t SizeWord(uintptr_t block) {
  return *reinterpret_cast<const volatile size_t*>(block - sizeof(size_t));
}

// Follows the chunks from the start of the heap. Returns whether one of them has its block at the
// address.
bool BeginsChunk(uintptr_t address) {
  uintptr_t block = HeapBegin() + kHeader;
  for (int i = 0; i < kMostChunks && block < address; ++i) {
    const size_t size = SizeWord(block) & ~kFlags;
    if (size < kSmallest || size % kHeader != 0 || size > address - block) return false;
    block += size;
  }
  return block == address;
}

}  // namespace

constinit std::atomic<size_t> heap_chunks_internal::recorded_from{0};

void SetHeapChunks(bool from_libc, size_t recorded_from) {
  heap_chunks_internal::recorded_from.store(recorded_from, std::memory_order_relaxed);
  g_from_libc.store(from_libc && sizeof(size_t) == 8, std::memory_order_relaxed);
}

bool MayExceedChunk(uintptr_t address, uint64_t bytes) {
  const uintptr_t begin = address % kHeader == 0 ? HeapBegin() : 0;
  if (begin == 0 || address - begin - kHeader >= kHeapSpan ||
      address >= reinterpret_cast<uintptr_t>(sbrk(0))) [[likely]]
    return false;
  const size_t word = SizeWord(address);
  const size_t size = word & ~kFlags;
  return size >= kSmallest && size < kLargest && size % kHeader == 0 &&
         (word & (kOtherHeap | kMapped)) == 0 && bytes > size - sizeof(size_t);
}

size_t FindChunk(uintptr_t address) {
  if (g_walks.fetch_add(1, std::memory_order_relaxed) >= kMostWalks) {
    g_walks.store(kMostWalks, std::memory_order_relaxed);
    return 0;
  }
  // Another thread may change a chunk during a walk. It is no coincidence that two walks agree.
  return BeginsChunk(address) && BeginsChunk(address)
             ? (SizeWord(address) & ~kFlags) - sizeof(size_t)
             : 0;
}

}  // namespace gpusan
