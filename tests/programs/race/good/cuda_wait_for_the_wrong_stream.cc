// The host waits for the stream that uploads.
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  CUstream waited = first;
  OK(cuStreamSynchronize(waited));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuCtxSynchronize());
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
  OK(cuMemFreeHost(data));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  Close();
}
