// The program waits by itself.
// OPTION --strict=true
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096), scratch = NewMemory(4096);
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuStreamSynchronize(first));
  OK(cuMemFree(scratch));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuCtxSynchronize());
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
  OK(cuMemFreeHost(data));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  Close();
}
