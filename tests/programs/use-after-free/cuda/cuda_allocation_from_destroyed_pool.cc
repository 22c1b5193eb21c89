// Defect: Memory is allocated from a pool that was destroyed.
// Fix: The pool is destroyed after its last allocation.
// EXPECT error use-after-free cuMemAllocFromPoolAsync at HERE
// EXPECT-PARTY release at DESTROYED
// EXPECT-FACT argument=pool
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED));
  CUstream stream = NewStream();
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = device;
  CUmemoryPool pool;
  OK(cuMemPoolCreate(&pool, &properties));
  CUdeviceptr memory;
  for (int i = 0; i < 4; ++i) {
    OK(cuMemAllocFromPoolAsync(&memory, 4096, pool, stream));
    OK(cuMemFreeAsync(memory, stream));
  }
  OK(cuStreamSynchronize(stream));
#ifdef DEFECT
  // @DESTROYED
  OK(cuMemPoolDestroy(pool));
#endif
  // @HERE
  const CUresult allocated = cuMemAllocFromPoolAsync(&memory, 4096, pool, stream);
  if (allocated == CUDA_SUCCESS) OK(cuMemFreeAsync(memory, stream));
  OK(cuStreamSynchronize(stream));
#ifndef DEFECT
  OK(cuMemPoolDestroy(pool));
#endif
  Close(stream);
}
