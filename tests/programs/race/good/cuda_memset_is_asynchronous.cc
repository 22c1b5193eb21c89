// The host waits for the fill before a non-blocking stream goes on.
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
  char* data = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(1 << 20);
  OK(cuMemsetD8(buffer, 0, 1 << 20));
  OK(cuCtxSynchronize());
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, stream));
  OK(cuCtxSynchronize());
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(data));
  OK(cuStreamDestroy(stream));
  Close();
}
