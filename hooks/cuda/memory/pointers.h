// Pointer arguments: which resource an address belongs to, and the sides of transfers made from
// pointers.
#pragma once

#include "hooks/cuda/call/call.h"

namespace gpusan::cuda {

// Returns the live resource that contains the address, and the offset in it. Memory that the driver
// knows and no intercepted call created (private tables, other libraries) is adopted as initialized
// and shared. Returns nullptr when neither gpusan nor the driver knows the address.
Resource* FindPointer(CuCall& call, uintptr_t address, uint64_t* offset);

// Returns whether the address lies in a block that the allocator of a framework has taken back and
// not handed out since. `found` is the resource of the address.
bool IsFreedBlock(CuCall& call, const Resource& found, uintptr_t address);

// Returns the side for a pointer to device memory (CUdeviceptr). Reports freed memory and host
// memory. Sets `usable` to false when the side must not be checked or recorded.
Side DeviceSide(CuCall& call, CUdeviceptr pointer, const Region& region, const char* argument,
                bool* usable);
// As DeviceSide, for a pointer to host memory.
Side HostSide(CuCall& call, const void* pointer, const Region& region, const char* argument,
              bool* usable);
// As DeviceSide, for a pointer to either (cuMemcpy and similar calls with unified addressing).
Side AnySide(CuCall& call, CUdeviceptr pointer, const Region& region, const char* argument,
             bool* usable);

}  // namespace gpusan::cuda
