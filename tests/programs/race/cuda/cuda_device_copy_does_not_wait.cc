// Defect: A copy on the device returns before it is complete, and a non-blocking stream does not
// wait for it. Strict mode reports that.
// Fix: The host waits for the copy first.
// OPTION --strict=true
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at COPY
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
  char* result = NewPinned(65536);
  CUdeviceptr from = NewZeros(65536), to = NewMemory(65536);
  // @COPY
  OK(cuMemcpyDtoD(to, from, 65536));
#ifndef DEFECT
  OK(cuCtxSynchronize());
#endif
  // @HERE
  OK(cuMemcpyDtoHAsync(result, to, 65536, stream));
  OK(cuCtxSynchronize());
  Close(to, from, result, stream);
}
