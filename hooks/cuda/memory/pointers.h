// Pointers that calls take: what they point into, and the sides of transfers made from them.
#pragma once

#include "hooks/cuda/call/call.h"

namespace gpusan::cuda {

inline constexpr KindMask kAnyLinear =
    AnyOf(ObjectKind::kDeviceMemory, ObjectKind::kPinned, ObjectKind::kManaged);

// The live resource that contains the address, and the offset in it. What the driver knows and no
// watched call made (private tables, other libraries) is adopted: with content, and shared with
// others. nullptr: neither knows it.
Resource* FindPointer(CuCall& call, uintptr_t address, uint64_t* offset);

// A side behind a pointer that must be one of the device's (CUdeviceptr). Reports freed memory and
// host memory. `usable` becomes false when the side must not be judged.
Side DeviceSide(CuCall& call, CUdeviceptr pointer, const Region& region, const char* argument,
                bool* usable);
// ... that must be the host's.
Side HostSide(CuCall& call, const void* pointer, const Region& region, const char* argument,
              bool* usable);
// ... that may be either (cuMemcpy and kin, under unified addressing).
Side AnySide(CuCall& call, CUdeviceptr pointer, const Region& region, const char* argument,
             bool* usable);

// Host memory that the driver does not know: a transfer has read or written it when the call
// returns, or has staged it.
inline bool IsPageable(const Side& side) { return side.is_host(); }

}  // namespace gpusan::cuda
