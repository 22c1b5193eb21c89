// Defect: The program relies on a free to wait for all streams, which no document guarantees.
// Strict mode reports that.
// Fix: The program waits itself.
// OPTION --strict=true
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at UPLOAD
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096), scratch = NewMemory(4096);
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
#ifndef DEFECT
  OK(cuStreamSynchronize(first));
#endif
  OK(cuMemFree(scratch));
  // @HERE
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuCtxSynchronize());
  Close(buffer, result, data, second, first);
}
