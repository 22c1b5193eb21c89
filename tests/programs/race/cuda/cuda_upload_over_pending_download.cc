// Defect: The next upload overwrites a buffer while another stream still downloads it.
// Fix: The program waits for the download before the next upload.
// EXPECT error race cuMemcpyHtoDAsync_v2 at HERE
// EXPECT-PARTY pending-command at DOWNLOAD
// EXPECT-FACT hazard=WAR
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewZeros(4096);
  // @DOWNLOAD
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, first));
#ifndef DEFECT
  OK(cuStreamSynchronize(first));
#endif
  // @HERE
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, second));
  OK(cuCtxSynchronize());
  Close(buffer, result, data, second, first);
}
