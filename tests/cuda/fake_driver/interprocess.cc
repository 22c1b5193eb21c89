// Device memory of another process, by way of the file behind its arena.
#include <cuda.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "memory.h"
#include "state.h"

using namespace fake;

namespace {

constexpr uint64_t kMagic = 0x46414b4543554441;
constexpr size_t kPage = 4096;

// What a CUipcMemHandle holds.
struct Shared {
  uint64_t magic;
  int64_t process;
  int64_t file;
  uint64_t offset;
  uint64_t bytes;
};
static_assert(sizeof(Shared) <= sizeof(CUipcMemHandle));

CUresult Open(CUdeviceptr* pointer, const CUipcMemHandle& handle, unsigned flags) {
  return WithContext([&](Context& context) {
    Shared shared;
    std::memcpy(&shared, &handle, sizeof shared);
    if (pointer == nullptr || flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS ||
        shared.magic != kMagic) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (shared.process == getpid()) {
      return CUDA_ERROR_INVALID_CONTEXT;  // the exporting process has the memory already
    }
    const std::string name =
        "/proc/" + std::to_string(shared.process) + "/fd/" + std::to_string(shared.file);
    const int file = open(name.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) {
      return CUDA_ERROR_MAP_FAILED;
    }
    const size_t before = shared.offset % kPage;
    const size_t window_bytes = (before + shared.bytes + kPage - 1) / kPage * kPage;
    const uintptr_t window = TakeArena(window_bytes, kPage, false);
    const bool mapped = window != 0 && MapAlias(window, window_bytes, file, shared.offset - before);
    close(file);
    if (!mapped) {
      return CUDA_ERROR_MAP_FAILED;
    }
    Region& region = Regions()[window + before];
    region = Region{};
    region.base = window + before;
    region.bytes = shared.bytes;
    region.kind = Kind::kImported;
    region.alias = AliasOf(region.base);
    region.context = contexts.Find(reinterpret_cast<CUcontext>(&context));
    region.device = context.device;
    region.id = NextId();
    region.window = window;
    *pointer = region.base;
    return CUDA_SUCCESS;
  });
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr pointer) {
  return WithContext([&](Context&) {
    Region* region = FindRegion(pointer);
    if (handle == nullptr || region == nullptr || region->kind != Kind::kDevice ||
        region->pool != nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    Shared shared{};
    shared.magic = kMagic;
    shared.process = getpid();
    shared.file = ArenaFile();
    shared.offset = ArenaOffset(region->base);
    shared.bytes = region->bytes;
    std::memset(handle, 0, sizeof *handle);
    std::memcpy(handle, &shared, sizeof shared);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuIpcOpenMemHandle(CUdeviceptr* pointer, CUipcMemHandle handle,
                                    unsigned int flags) {
  return Open(pointer, handle, flags);
}
CUresult CUDAAPI cuIpcOpenMemHandle_v2(CUdeviceptr* pointer, CUipcMemHandle handle,
                                       unsigned int flags) {
  return Open(pointer, handle, flags);
}

CUresult CUDAAPI cuIpcCloseMemHandle(CUdeviceptr pointer) {
  return WithContext([&](Context& context) {
    Region* region = FindRegion(pointer);
    if (region == nullptr || region->base != pointer || region->kind != Kind::kImported) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    WaitForContext(&context);
    const uintptr_t window = region->window;
    const size_t bytes = (region->end() - window + kPage - 1) / kPage * kPage;
    MapAlias(window, bytes, ArenaFile(), ArenaOffset(window));
    ReleaseRegion(pointer);
    GiveArena(window);
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
