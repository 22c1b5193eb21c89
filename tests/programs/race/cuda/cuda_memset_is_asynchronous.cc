// Defect: A fill of device memory does not wait, and a non-blocking stream does not wait for the
// legacy stream.
// Fix: The host waits for the fill before a non-blocking stream continues.
// EXPECT error race cuMemcpyHtoDAsync_v2 at HERE
// EXPECT-PARTY pending-command at FILL
// EXPECT-FACT hazard=WAW
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
  char* data = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(1 << 20);
  // @FILL
  OK(cuMemsetD8(buffer, 0, 1 << 20));
#ifndef DEFECT
  OK(cuCtxSynchronize());
#endif
  // @HERE
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, stream));
  OK(cuCtxSynchronize());
  Close(buffer, data, stream);
}
