// Memory in stream order and default streams: the legacy stream frees what blocking streams have
// used, and allocates what they use; the thread's own stream is one of them.
#include "common/cuda.h"

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED));
  CUstream blocking = NewStream(CU_STREAM_DEFAULT), other = NewStream(CU_STREAM_DEFAULT);
  char* result = NewPinned(4096);
  const CUstream streams[] = {blocking, other, CU_STREAM_PER_THREAD};
  for (CUstream stream : streams) {
    CUdeviceptr memory;
    // Allocated in one, freed by the legacy stream behind it.
    OK(cuMemAllocAsync(&memory, 4096, stream));
    OK(cuMemsetD8Async(memory, 1, 4096, stream));
    OK(cuMemFreeAsync(memory, nullptr));
    // Allocated by the legacy stream, used by two, freed by it.
    OK(cuMemAllocAsync(&memory, 4096, CU_STREAM_LEGACY));
    OK(cuMemsetD8Async(memory, 2, 2048, stream));
    OK(cuMemsetD8Async(memory + 2048, 3, 2048, stream == other ? blocking : other));
    OK(cuMemcpyDtoHAsync(result, memory, 4096, CU_STREAM_LEGACY));
    OK(cuMemFreeAsync(memory, CU_STREAM_LEGACY));
    OK(cuStreamSynchronize(CU_STREAM_LEGACY));
    CHECK(result[0] == 2 && result[4095] == 3);
    // Any operation of the legacy stream orders two blocking streams.
    OK(cuMemAllocAsync(&memory, 4096, stream));
    OK(cuMemsetD8Async(memory, 4, 4096, stream));
    OK(cuMemsetD8Async(memory, 5, 1, nullptr));
    OK(cuMemcpyDtoHAsync(result, memory, 4096, stream == other ? blocking : other));
    OK(cuMemFreeAsync(memory, stream == other ? blocking : other));
    OK(cuCtxSynchronize());
    CHECK(result[0] == 5 && result[4095] == 4);
  }
  Close(result, other, blocking);
}
