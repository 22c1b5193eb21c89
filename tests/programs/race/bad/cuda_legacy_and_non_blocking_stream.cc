// A fill on the legacy default stream and a download on a non-blocking stream, which does not
// wait for it.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at FILL
// EXPECT-FACT hazard=RAW
#include "common/cuda.h"

int main() {
  Open();
  const unsigned flags = CU_STREAM_NON_BLOCKING;
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
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
  OK(cuStreamDestroy(stream));
  Close();
}
