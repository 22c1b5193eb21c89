// The next upload waits for the download.
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewZeros(4096);
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, first));
  OK(cuStreamSynchronize(first));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, second));
  OK(cuCtxSynchronize());
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
  OK(cuMemFreeHost(data));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  Close();
}
