// A pool is destroyed while memory of it is in use, and while frees are pending; it goes when the
// last of it has been freed. A pool becomes that of the device, and is taken back.
#include "common/cuda.h"

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED));
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  CUstream stream = NewStream();
  char* result = NewPinned(4096);
  for (int round = 0; round < 3; ++round) {
    CUmemoryPool pool, usual;
    CUdeviceptr kept, freed, ordered;
    OK(cuMemPoolCreate(&pool, &properties));
    OK(cuMemAllocFromPoolAsync(&kept, 4096, pool, stream));
    OK(cuMemAllocFromPoolAsync(&freed, 4096, pool, stream));
    OK(cuMemsetD8Async(freed, 1, 4096, stream));
    OK(cuMemFreeAsync(freed, stream));
    OK(cuDeviceGetMemPool(&usual, device));
    OK(cuDeviceSetMemPool(device, pool));
    OK(cuMemAllocAsync(&ordered, 4096, stream));
    OK(cuMemsetD8Async(ordered, 2, 4096, stream));
    OK(cuDeviceSetMemPool(device, usual));
    OK(cuMemPoolDestroy(pool));
    OK(cuMemcpyDtoDAsync(kept, ordered, 4096, stream));
    OK(cuMemFreeAsync(ordered, stream));
    OK(cuMemcpyDtoHAsync(result, kept, 4096, stream));
    OK(cuMemFreeAsync(kept, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(result[4095] == 2);
  }
  Close(result, stream);
}
