// Queries of the program about guarded memory.
#pragma once

#include "hooks/cuda/guards/driver.h"

namespace gpusan::cuda {

CUresult GuardedAddressRange(CUdeviceptr* base, size_t* bytes, CUdeviceptr pointer);
CUresult GuardedAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer);
CUresult GuardedAttributes(unsigned count, CUpointer_attribute* attributes, void** values,
                           CUdeviceptr pointer);

}  // namespace gpusan::cuda
