// A copy from host to host waits for blocking streams, and the download is on one.
#include "common/cuda.h"

int main() {
  Open();
  const unsigned flags = CU_STREAM_DEFAULT;
  CUstream stream = NewStream(flags);
  CUdeviceptr buffer = NewZeros(4096);
  char *result = NewPinned(4096), *copy = NewPinned(4096);
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
  OK(cuMemcpy((CUdeviceptr)copy, (CUdeviceptr)result, 4096));
  OK(cuCtxSynchronize());
  OK(cuMemFreeHost(copy));
  OK(cuMemFreeHost(result));
  OK(cuMemFree(buffer));
  OK(cuStreamDestroy(stream));
  Close();
}
