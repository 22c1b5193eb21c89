// Memory is freed in stream order in a context that is destroyed next, and the program goes on in
// another context and ends without a current one. The guard zones of the freed memory never arrive.
// OPTION --guard
#include "common/cuda.h"

int main() {
  Open();
  if (!Attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)) return 77;
  for (int round = 0; round < 3; ++round) {
    CUcontext other;
    OK(cuCtxCreate(&other, nullptr, 0, device));
    CUstream stream = NewStream();
    CUdeviceptr data;
    OK(cuMemAllocAsync(&data, 4096, stream));
    OK(cuMemsetD8Async(data, 1, 4096, stream));
    OK(cuMemFreeAsync(data, stream));
    OK(cuStreamDestroy(stream));
    OK(cuCtxDestroy(other));
    OK(cuCtxSetCurrent(context));
    OK(cuMemFree(NewZeros(64)));
  }
  CUstream stream = NewStream();
  CUdeviceptr data;
  OK(cuMemAllocAsync(&data, 4096, stream));
  OK(cuMemFreeAsync(data, stream));
  OK(cuStreamDestroy(stream));
  OK(cuCtxSetCurrent(nullptr));
}
