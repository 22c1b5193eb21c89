// Memory of other APIs, named by file descriptors. A mapping has bytes of its own: how the drivers
// of other APIs lay out their files is unknown. Semaphores of other APIs are not supported.
#include <cuda.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "state.h"

using namespace fake;

namespace {

struct External {
  ~External() { close(file); }
  int file = -1;
  size_t bytes = 0;
};

Handles<CUexternalMemory, External>& memories = *new Handles<CUexternalMemory, External>;

}  // namespace

extern "C" {

CUresult CUDAAPI cuImportExternalMemory(CUexternalMemory* handle,
                                        const CUDA_EXTERNAL_MEMORY_HANDLE_DESC* description) {
  return WithContext([&](Context&) {
    struct stat file;
    if (handle == nullptr || description == nullptr || description->size == 0 ||
        description->type != CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD ||
        fstat(description->handle.fd, &file) != 0) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    auto memory = std::make_shared<External>();
    memory->file = description->handle.fd;
    memory->bytes = description->size;
    *handle = memories.Add(memory);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuDestroyExternalMemory(CUexternalMemory handle) {
  return WithContext([&](Context&) {
    return memories.Remove(handle) == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuExternalMemoryGetMappedBuffer(CUdeviceptr* pointer, CUexternalMemory handle,
                                                 const CUDA_EXTERNAL_MEMORY_BUFFER_DESC* part) {
  return WithContext([&](Context& context) {
    std::shared_ptr<External> memory = memories.Find(handle);
    if (memory == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    if (pointer == nullptr || part == nullptr || part->size == 0 || part->offset > memory->bytes ||
        part->size > memory->bytes - part->offset) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    Region* region = nullptr;
    if (CUresult error = AllocateRegion(context, part->size, Kind::kDevice, 0, &region);
        error != CUDA_SUCCESS) {
      return error;
    }
    *pointer = region->base;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
