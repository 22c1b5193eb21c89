// Blocks that the allocators of frameworks hand out, as resources of their own.
#include "layer/attach/framework_blocks.h"

#include "hooks/common/block_change.h"
#include "hooks/common/guard.h"
#include "layer/runtime/shadow.h"

namespace gpusan {
namespace {

bool IsRecording() {
  bool recording = false;
  ForEachApi(
      [&](const ApiPart& part) { recording |= part.recording != nullptr && part.recording(); });
  return recording;
}

// Each segment of an allocator is a pool, and so is each mapping of a segment that grows. Segments
// that gpusan cannot divide are left alone: those of cudaMallocAsync, whose blocks are allocations
// anyway. So are blocks that lie in several mappings.
void NoteBlock(Tracker& tracker, Call& call, uintptr_t address, int64_t bytes) {
  BlockPools& pools = tracker.block_pools();
  uintptr_t base = pools.Find(address);
  const auto size = static_cast<uint64_t>(bytes < 0 ? -bytes : bytes);
  if (base != 0 && pools.Find(address + size - 1) != base) return;
  if (bytes < 0) {
    if (base != 0 && !pools.Free(call, base, address, nullptr)) pools.Dissolve(call, base);
    return;
  }
  if (base == 0) {
    uint64_t offset = 0;
    Resource* segment = tracker.objects().FindAddress(address, &offset);
    if (segment == nullptr ||
        (segment->kind != ObjectKind::kDeviceMemory &&
         segment->kind != ObjectKind::kMappedMemory) ||
        (segment->kind == ObjectKind::kMappedMemory && offset + size > segment->bytes) ||
        !pools.Create(*segment, false))
      return;
    base = segment->handle;
  }
  BlockPools::NewBlock block;
  block.address = address;
  block.bytes = size;
  block.owned = true;
  pools.Allocate(call, base, block);
}

void NoteBlockIfPossible(Tracker& tracker, Call& call, uintptr_t address, int64_t bytes) {
  try {
    NoteBlock(tracker, call, address, bytes);
  } catch (...) {
    // gpusan's lack of memory is not the program's.
  }
}

// A graph uses the addresses of its blocks in all its launches, also when they have no tensor.
void LeaveAlone(Tracker& tracker, Call& call, uintptr_t address, int64_t) {
  BlockPools& pools = tracker.block_pools();
  if (const uintptr_t base = pools.Find(address); base != 0) return pools.Dissolve(call, base);
  uint64_t offset = 0;
  Resource* segment = tracker.objects().FindAddress(address, &offset);
  if (segment != nullptr && pools.Create(*segment, false)) pools.Dissolve(call, segment->handle);
}

// Returns whether the hooks of the API apply the change later.
bool Defer(Tracker& tracker, const BlockChange& change) {
  bool deferred = false;
  ForEachApi([&](const ApiPart& part) {
    if (part.api == change.call->api && part.defer_block != nullptr)
      deferred = part.defer_block(tracker, change);
  });
  return deferred;
}

}  // namespace

void NoteFrameworkBlock(const CallInfo& info, uintptr_t address, int64_t bytes,
                        const void* return_address, const void* frame_address) {
  if (ReentryGuard::Active()) return;
  ReentryGuard guard;
  Tracker* tracker = ShadowIfAny();
  const Vocabulary* words = WordsOf(info.api);
  if (tracker == nullptr || words == nullptr || address == 0 || bytes == 0) return;
  try {
    const bool recording = IsRecording();
    const BlockChange change = {&info,   return_address, frame_address,
                                address, bytes,          &NoteBlockIfPossible};
    if (!recording && Defer(*tracker, change)) return;
    ForEachApi([](const ApiPart& part) {
      if (part.settle != nullptr) part.settle();
    });
    Call call(*tracker, info, *words, return_address, frame_address);
    (recording ? LeaveAlone : NoteBlock)(*tracker, call, address, bytes);
    call.Finish(0);
  } catch (...) {
    // gpusan's lack of memory is not the program's.
  }
}

}  // namespace gpusan
