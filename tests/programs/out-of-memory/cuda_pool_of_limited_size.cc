// Defect: The program allocates more from its pool than the pool may hold, and then frees memory
// and tries again.
// Fix: The program frees memory before the pool is full.
// A GPU takes 32 MiB of memory at a time, and rounds maxSize up to a multiple of them.
// EXPECT note out-of-memory cuMemAllocFromPoolAsync CUDA_ERROR_OUT_OF_MEMORY at HERE
// EXPECT-TEXT maxSize of 64 MiB, 48 MiB of them are in use
// EXPECT-TEXT the program then allocated 32 MiB
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.maxSize = 64 << 20;
  CUmemoryPool pool;
  OK(cuMemPoolCreate(&pool, &properties));
  CUdeviceptr first, second = 0;
  OK(cuMemAllocFromPoolAsync(&first, 48 << 20, pool, stream));
#ifndef DEFECT
  OK(cuMemFreeAsync(first, stream));
  first = 0;
  OK(cuStreamSynchronize(stream));
#endif
  // @HERE
  if (cuMemAllocFromPoolAsync(&second, 32 << 20, pool, stream) != CUDA_SUCCESS) {
    OK(cuMemFreeAsync(first, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemPoolTrimTo(pool, 0));
    OK(cuMemAllocFromPoolAsync(&second, 32 << 20, pool, stream));
  }
  OK(cuMemFreeAsync(second, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemPoolDestroy(pool));
  Close(stream);
}
