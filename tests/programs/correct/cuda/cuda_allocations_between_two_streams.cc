// Allocations of device and page-locked memory between the commands of two blocking streams. The
// programming guide of CUDA names them as operations after which such commands do not overlap.
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(CU_STREAM_DEFAULT), second = NewStream(CU_STREAM_DEFAULT);
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  CUdeviceptr scratch = NewMemory(4096);
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  char* more = NewPinned(4096);
  OK(cuMemsetD8Async(buffer, 1, 4096, first));
  OK(cuCtxSynchronize());
  OK(cuMemFree(scratch));
  OK(cuMemFree(buffer));
  for (char* memory : {more, result, data}) OK(cuMemFreeHost(memory));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  Close();
}
