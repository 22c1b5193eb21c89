// Handlers: hints and migrations of ranges of managed memory, attributes of pointers.
#include "hooks/cuda/memory/managed.h"
#include "tracker/base/sampled.h"

#include <mutex>

namespace gpusan::cuda {

void CheckRange(CuCall& call, CUdeviceptr pointer, uint64_t bytes, const char* argument) {
  if (pointer == 0 || bytes == 0) return;
  uint64_t offset = 0;
  const Resource* resource = FindPointer(call, HandleOf(pointer), &offset);
  if (resource == nullptr) {
    // Systems with one page table for host and device accept any memory here.
    call.tracker().pointers().CheckFreedPointer(call, HandleOf(pointer), argument);
    return;
  }
  if (resource->bytes != 0 && SaturatingAdd(offset, bytes) > resource->bytes) {
    call.FailureFact(absl::StrCat(argument, " + ", bytes, " B is ",
                                  offset + bytes - resource->bytes, " B past the end of ",
                                  ObjectText(*resource, call.words())));
  } else if (resource->kind != ObjectKind::kManaged) {
    call.FailureFact(absl::StrCat(argument, " points into ", ObjectText(*resource, call.words())));
  }
}

void SetSynchronous(CuCall& call, CUdeviceptr pointer, bool synchronous) {
  uint64_t offset = 0;
  Resource* resource = FindPointer(call, HandleOf(pointer), &offset);
  if (resource == nullptr) return;
  StoreSampled(resource->flags,
               static_cast<uint16_t>(synchronous ? resource->flags | kSynchronous
                                                 : resource->flags & ~kSynchronous));
  // Programs set the attribute where another device (a network card) accesses the memory.
  if (synchronous) MarkWritten(call, pointer);
}

void MarkWritten(CuCall& call, CUdeviceptr pointer) {
  uint64_t offset = 0;
  Resource* resource = call.tracker().objects().FindAddress(HandleOf(pointer), &offset);
  if (resource == nullptr || resource->root->init.all()) return;
  std::lock_guard lock(resource->root->lock);
  resource->root->init.MarkAll();
}

}  // namespace gpusan::cuda
