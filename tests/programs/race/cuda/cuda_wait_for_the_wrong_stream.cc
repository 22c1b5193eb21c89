// Defect: The host waits for another stream than the one that uploads.
// Fix: The host waits for the stream that uploads.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-FACT hazard=RAW
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
#ifdef DEFECT
  CUstream waited = second;
#else
  CUstream waited = first;
#endif
  OK(cuStreamSynchronize(waited));
  // @HERE
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuCtxSynchronize());
  Close(buffer, result, data, second, first);
}
