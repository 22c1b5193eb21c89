// Defect: A copy from host to host waits for blocking streams alone; the download is on a
// non-blocking one.
// Fix: A copy from host to host waits for blocking streams, and the download is on one.
// EXPECT error race cuMemcpy at HERE
// EXPECT-PARTY pending-command at DOWNLOAD
// EXPECT-FACT hazard=RAW
#include "common/cuda.h"

int main() {
  Open();
#ifdef DEFECT
  const unsigned flags = CU_STREAM_NON_BLOCKING;
#else
  const unsigned flags = CU_STREAM_DEFAULT;
#endif
  CUstream stream = NewStream(flags);
  CUdeviceptr buffer = NewZeros(4096);
  char *result = NewPinned(4096), *copy = NewPinned(4096);
  // @DOWNLOAD
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
  // @HERE
  OK(cuMemcpy((CUdeviceptr)copy, (CUdeviceptr)result, 4096));
  OK(cuCtxSynchronize());
  Close(copy, result, buffer, stream);
}
