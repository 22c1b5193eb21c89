// Guarded allocations: the program's memory lies inside a larger allocation.
#include "hooks/cuda/guards/allocations.h"

#include <algorithm>
#include <utility>

#include "hooks/cuda/deferral/deferral_queue.h"

namespace gpusan::cuda {
namespace {

uint64_t RoundedUp(uint64_t bytes, uint64_t step) { return (bytes + step - 1) / step * step; }

}  // namespace

bool MayGuard(size_t bytes) { return bytes != 0 && bytes < ~size_t{0} / 4; }

GuardedBlock NewBlock(GuardedKind kind, uint64_t bytes, uint64_t alignment) {
  GuardedBlock block;
  block.kind = kind;
  block.front_zone = block.back = GuardBytes();
  block.front = RoundedUp(GuardBytes(), alignment);
  block.bytes = bytes;
  return block;
}

bool KeepBlock(GuardedBlock&& block, uintptr_t base, bool fill) {
  StopDeferral();
  block.base = base;
  block.key = base + block.front;
  CUcontext context = nullptr;
  GPUSAN_CU_DRIVER(cuCtxGetCurrent)(&context);
  block.context = HandleOf(context);
  block.checked = NewestCommand();
  if (fill && !FillZones(block)) return false;
  Guards().Add(std::move(block));
  CheckAtExit();
  return true;
}

CUresult AllocateGuarded(CUdeviceptr* pointer, size_t bytes) {
  const auto allocate = GPUSAN_CU_DRIVER(cuMemAlloc_v2);
  if (pointer == nullptr || !MayGuard(bytes)) return allocate(pointer, bytes);
  GuardedBlock block = NewBlock(kOnDevice, bytes, DeviceAlignment(bytes));
  const uint64_t front = block.front;
  CUdeviceptr base = 0;
  if (allocate(&base, WholeBytes(block)) != CUDA_SUCCESS) return allocate(pointer, bytes);
  if (!KeepBlock(std::move(block), base, true)) {
    GPUSAN_CU_DRIVER(cuMemFree_v2)(base);
    return allocate(pointer, bytes);
  }
  *pointer = base + front;
  return CUDA_SUCCESS;
}

CUresult AllocateGuardedPitch(CUdeviceptr* pointer, size_t* pitch, size_t width, size_t height,
                              unsigned element) {
  constexpr uint64_t kWidestPitchStep = 512;
  const auto allocate = GPUSAN_CU_DRIVER(cuMemAllocPitch_v2);
  if (pointer == nullptr || pitch == nullptr || !MayGuard(width) || !MayGuard(height) ||
      width > ~size_t{0} / 4 / height)
    return allocate(pointer, pitch, width, height, element);
  const uint64_t row = RoundedUp(width, kWidestPitchStep);
  const uint64_t rows = (GuardBytes() + row - 1) / row;
  CUdeviceptr base = 0;
  size_t whole_pitch = 0;
  if (allocate(&base, &whole_pitch, width, height + 2 * rows, element) != CUDA_SUCCESS)
    return allocate(pointer, pitch, width, height, element);
  GuardedBlock block;
  block.kind = kOnDevice;
  block.front = rows * whole_pitch;
  block.front_zone = block.back = std::min(GuardBytes(), block.front);
  block.bytes = whole_pitch * height;
  const uint64_t front = block.front;
  // The program may expect the alignment of an allocation.
  if (front % kWidestPitchStep != 0 || !KeepBlock(std::move(block), base, true)) {
    GPUSAN_CU_DRIVER(cuMemFree_v2)(base);
    return allocate(pointer, pitch, width, height, element);
  }
  *pointer = base + front;
  *pitch = whole_pitch;
  return CUDA_SUCCESS;
}

CUresult AllocateGuardedManaged(CUdeviceptr* pointer, size_t bytes, unsigned flags) {
  const auto allocate = GPUSAN_CU_DRIVER(cuMemAllocManaged);
  // Devices cannot access memory that is attached to the host or to a stream.
  if (pointer == nullptr || !MayGuard(bytes) || flags != CU_MEM_ATTACH_GLOBAL)
    return allocate(pointer, bytes, flags);
  GuardedBlock block = NewBlock(kOnDevice, bytes, kHostAlignment);
  const uint64_t front = block.front;
  CUdeviceptr base = 0;
  if (allocate(&base, WholeBytes(block), flags) != CUDA_SUCCESS)
    return allocate(pointer, bytes, flags);
  if (!KeepBlock(std::move(block), base, true)) {
    GPUSAN_CU_DRIVER(cuMemFree_v2)(base);
    return allocate(pointer, bytes, flags);
  }
  *pointer = base + front;
  return CUDA_SUCCESS;
}

CUresult AllocateGuardedHost(void** pointer, size_t bytes, unsigned flags) {
  const auto allocate = GPUSAN_CU_DRIVER(cuMemHostAlloc);
  // The host only reads write-combined memory to check it, which is very slow.
  if (pointer == nullptr || !MayGuard(bytes) || (flags & CU_MEMHOSTALLOC_WRITECOMBINED) != 0)
    return allocate(pointer, bytes, flags);
  // No zone in front: a free that gpusan does not see gets the address of the driver.
  GuardedBlock block = NewBlock(kOnHost, bytes, kHostAlignment);
  block.front = block.front_zone = 0;
  void* base = nullptr;
  if (allocate(&base, WholeBytes(block), flags) != CUDA_SUCCESS)
    return allocate(pointer, bytes, flags);
  if (!KeepBlock(std::move(block), HandleOf(base), true)) {
    GPUSAN_CU_DRIVER(cuMemFreeHost)(base);
    return allocate(pointer, bytes, flags);
  }
  *pointer = base;
  return CUDA_SUCCESS;
}

}  // namespace gpusan::cuda
