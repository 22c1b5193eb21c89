// Defect: A fill on the legacy default stream and a download on a non-blocking stream, which does
// not wait for it.
// Fix: A fill on the legacy default stream and a download on a blocking stream, which waits for it.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at FILL
// EXPECT-FACT hazard=RAW
#include "common/cuda.h"

int main() {
  Open();
#ifdef DEFECT
  const unsigned flags = CU_STREAM_NON_BLOCKING;
#else
  const unsigned flags = CU_STREAM_DEFAULT;
#endif
  CUstream stream;
  OK(cuStreamCreate(&stream, flags));
  char* result;
  OK(cuMemAllocHost((void**)&result, 4096));
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, 4096));
  // @FILL
  OK(cuMemsetD8Async(buffer, 7, 4096, CU_STREAM_LEGACY));
  // @HERE
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
  OK(cuCtxSynchronize());
  Close(buffer, result, stream);
}
