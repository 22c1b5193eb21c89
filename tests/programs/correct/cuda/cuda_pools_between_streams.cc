// A pool of the program's own: memory goes from stream to stream by events, is freed in another
// stream than it came from, in the legacy one too, and the pool is trimmed and destroyed with
// memory in use.
#include "common/cuda.h"

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED));
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = device;
  CUmemoryPool pool, before;
  OK(cuMemPoolCreate(&pool, &properties));
  cuuint64_t keep = 1 << 20;
  OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep));
  CUstream first = NewStream(), second = NewStream();
  CUevent ready = NewEvent(), used = NewEvent();
  char* result = NewPinned(4096);
  for (int round = 0; round < 6; ++round) {
    CUdeviceptr a, b;
    OK(cuMemAllocFromPoolAsync(&a, 4096, pool, first));
    OK(cuMemsetD8Async(a, (unsigned char)round, 4096, first));
    OK(cuEventRecord(ready, first));
    OK(cuStreamWaitEvent(second, ready, 0));
    OK(cuMemAllocFromPoolAsync(&b, 4096, pool, second));
    OK(cuMemcpyDtoDAsync(b, a, 4096, second));
    OK(cuEventRecord(used, second));
    OK(cuStreamWaitEvent(first, used, 0));
    OK(cuMemFreeAsync(a, first));
    OK(cuMemcpyDtoHAsync(result, b, 4096, second));
    if (round % 2 == 0) {
      OK(cuMemFreeAsync(b, second));
    } else {
      OK(cuStreamSynchronize(second));
      OK(cuMemFreeAsync(b, CU_STREAM_LEGACY));
    }
    OK(cuStreamSynchronize(second));
    CHECK(result[0] == round);
    OK(cuMemPoolTrimTo(pool, 0));
  }
  // The device's own pool is changed for this one and back.
  OK(cuDeviceGetMemPool(&before, device));
  OK(cuDeviceSetMemPool(device, pool));
  CUdeviceptr c;
  OK(cuMemAllocAsync(&c, 4096, first));
  OK(cuDeviceSetMemPool(device, before));
  OK(cuMemPoolDestroy(pool));  // its memory stays until it is freed
  OK(cuMemsetD8Async(c, 1, 4096, first));
  OK(cuMemcpyDtoHAsync(result, c, 4096, first));
  OK(cuStreamSynchronize(first));
  CHECK(result[4095] == 1);
  OK(cuMemFreeAsync(c, first));
  OK(cuStreamSynchronize(first));
  Close(result, used, ready, second, first);
}
