// The half of an allocation is downloaded that was uploaded.
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  char *data = NewPinned(2048), *result = NewPinned(2048);
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, 4096));
  OK(cuMemcpyHtoDAsync(buffer, data, 2048, stream));
  const size_t offset = 0;
  OK(cuMemcpyDtoHAsync(result, buffer + offset, 2048, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
  OK(cuMemFreeHost(data));
  OK(cuStreamDestroy(stream));
  Close();
}
