// Blocks that the allocators of frameworks hand out, as resources of their own.
#include "layer/attach/framework_blocks.h"

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
  if (IsRecording()) {
    // A graph uses the addresses of its blocks in all its launches, also when they have no tensor.
    if (base != 0) {
      pools.Dissolve(call, base);
    } else {
      uint64_t offset = 0;
      Resource* segment = tracker.objects().FindAddress(address, &offset);
      if (segment != nullptr && pools.Create(*segment, false))
        pools.Dissolve(call, segment->handle);
    }
    return;
  }
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

}  // namespace

void NoteFrameworkBlock(const CallInfo& info, uintptr_t address, int64_t bytes,
                        const void* return_address, const void* frame_address) {
  if (ReentryGuard::Active()) return;
  ReentryGuard guard;
  Tracker* tracker = ShadowIfAny();
  const Vocabulary* words = WordsOf(info.api);
  if (tracker == nullptr || words == nullptr || address == 0 || bytes == 0) return;
  try {
    ForEachApi([](const ApiPart& part) {
      if (part.settle != nullptr) part.settle();
    });
    Call call(*tracker, info, *words, return_address, frame_address);
    NoteBlock(*tracker, call, address, bytes);
    call.Finish(0);
  } catch (...) {
    // gpusan's lack of memory is not the program's.
  }
}

}  // namespace gpusan
