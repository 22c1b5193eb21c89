// Guarded allocations and their frees.
#pragma once

#include "hooks/cuda/guards/checks.h"

namespace gpusan::cuda {

// Sizes of a block around `bytes` bytes of the program. `alignment`: of the front [bytes].
GuardedBlock NewBlock(GuardedKind kind, uint64_t bytes, uint64_t alignment);
inline uint64_t WholeBytes(const GuardedBlock& block) {
  return block.front + block.bytes + block.back;
}
// Whether memory of this size can be guarded.
bool MayGuard(size_t bytes);
// Completes a block whose whole begins at `base`: fills the zones if `fill`, and keeps the block.
// Returns false if that is not possible; then the whole must be freed.
bool KeepBlock(GuardedBlock&& block, uintptr_t base, bool fill);

// The alignment of device memory of this size [bytes]: other devices access large memory by pages.
inline uint64_t DeviceAlignment(size_t bytes) { return bytes >= 1 << 20 ? 65536 : 512; }
inline constexpr uint64_t kHostAlignment = 4096;

CUresult AllocateGuarded(CUdeviceptr* pointer, size_t bytes);
CUresult AllocateGuardedPitch(CUdeviceptr* pointer, size_t* pitch, size_t width, size_t height,
                              unsigned element);
CUresult AllocateGuardedManaged(CUdeviceptr* pointer, size_t bytes, unsigned flags);
CUresult AllocateGuardedHost(void** pointer, size_t bytes, unsigned flags);

}  // namespace gpusan::cuda
