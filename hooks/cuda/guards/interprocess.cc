// Guarded memory that processes share.
//
// A handle of the driver names the whole of a block. A file in /dev/shm, named after the handle,
// says where the program's part lies. The other process finds it if it runs under gpusan with guard
// zones, too, as the processes below gpusan run do.
#include "hooks/cuda/guards/interprocess.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "hooks/cuda/guards/checks.h"
#include "tracker/base/text_util.h"

namespace gpusan::cuda {
namespace {

constexpr size_t kHandleBytes = 64;
static_assert(sizeof(CUipcMemHandle) == kHandleBytes);
static_assert(sizeof(CUmemPoolPtrExportData) == kHandleBytes);

// The content of the file.
struct Part {
  unsigned char handle[kHandleBytes] = {};
  uint64_t front = 0, bytes = 0;
};

// FNV-1a.
uint64_t NumberOf(const void* handle) {
  uint64_t number = 0xcbf29ce484222325;
  for (size_t i = 0; i < kHandleBytes; ++i)
    number = (number ^ static_cast<const unsigned char*>(handle)[i]) * 0x100000001b3;
  return number != 0 ? number : 1;
}

std::string PathOf(uint64_t number) {
  return absl::StrCat("/dev/shm/gpusan-guard-", getuid(), "-", Hex(number));
}

void Share(const GuardedBlock& block, const void* handle) {
  Part part;
  std::memcpy(part.handle, handle, kHandleBytes);
  part.front = block.front;
  part.bytes = block.bytes;
  const uint64_t number = NumberOf(handle);
  const int file = open(PathOf(number).c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return;
  const bool written = pwrite(file, &part, sizeof(part), 0) == sizeof(part);
  close(file);
  GuardedBlock shared;
  if (!written || !Guards().Take(block.key, &shared)) return;
  shared.flags = number;
  Guards().Restore(std::move(shared));
}

// Returns false if no process of this user has shared guarded memory by the handle.
bool FindPart(const void* handle, Part* part) {
  const int file =
      open(PathOf(NumberOf(handle)).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return false;
  struct stat status;
  const bool read = fstat(file, &status) == 0 && status.st_uid == getuid() &&
                    pread(file, part, sizeof(*part), 0) == sizeof(*part) &&
                    std::memcmp(part->handle, handle, kHandleBytes) == 0;
  close(file);
  return read;
}

// Keeps the part of the memory that another process has shared, and moves the pointer to it.
void KeepPart(const void* handle, CUdeviceptr* pointer) {
  Part part;
  if (!FindPart(handle, &part)) return;
  GuardedBlock block;
  block.kind = kForeign;
  block.base = *pointer;
  block.front = part.front;
  block.bytes = part.bytes;
  block.key = *pointer + part.front;
  *pointer = block.key;
  Guards().Add(std::move(block));
}

}  // namespace

CUresult GuardedIpcHandle(CUipcMemHandle* handle, CUdeviceptr pointer) {
  const auto get = GPUSAN_CU_DRIVER(cuIpcGetMemHandle);
  GuardedBlock block;
  if (!GuardsApply() || handle == nullptr || !Guards().Find(pointer, &block))
    return get(handle, pointer);
  const CUresult code = get(handle, block.base);
  if (code == CUDA_SUCCESS) Share(block, handle);
  return code;
}

CUresult OpenGuardedIpc(CUdeviceptr* pointer, CUipcMemHandle handle, unsigned flags) {
  const CUresult code = GPUSAN_CU_DRIVER(cuIpcOpenMemHandle_v2)(pointer, handle, flags);
  if (code == CUDA_SUCCESS && GuardsApply()) KeepPart(&handle, pointer);
  return code;
}

CUresult CloseGuardedIpc(CUdeviceptr pointer) {
  const auto close_handle = GPUSAN_CU_DRIVER(cuIpcCloseMemHandle);
  GuardedBlock block;
  if (!GuardsApply() || !Guards().Find(pointer, &block) || block.kind != kForeign)
    return close_handle(pointer);
  const CUresult code = close_handle(block.base);
  // The memory may have been opened several times.
  if (code == CUDA_SUCCESS) DropGone();
  return code;
}

CUresult ExportGuardedPointer(CUmemPoolPtrExportData* data, CUdeviceptr pointer) {
  const auto share = GPUSAN_CU_DRIVER(cuMemPoolExportPointer);
  GuardedBlock block;
  if (!GuardsApply() || data == nullptr || !Guards().Find(pointer, &block))
    return share(data, pointer);
  const CUresult code = share(data, block.base);
  if (code == CUDA_SUCCESS) Share(block, data);
  return code;
}

CUresult ImportGuardedPointer(CUdeviceptr* pointer, CUmemoryPool pool,
                              CUmemPoolPtrExportData* data) {
  const CUresult code = GPUSAN_CU_DRIVER(cuMemPoolImportPointer)(pointer, pool, data);
  if (code == CUDA_SUCCESS && GuardsApply()) KeepPart(data, pointer);
  return code;
}

void EndSharing(const GuardedBlock& block) {
  if (block.flags != 0 && block.kind != kForeign) unlink(PathOf(block.flags).c_str());
}

}  // namespace gpusan::cuda
