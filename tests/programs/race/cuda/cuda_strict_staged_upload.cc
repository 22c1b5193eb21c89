// Defect: An upload from pageable memory returns when it is staged. The documents guarantee no
// more, and a non-blocking stream does not wait for the rest. Strict mode reports that.
// Fix: The host waits for the upload first.
// OPTION --strict=true
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at UPLOAD
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
  char *data = (char*)calloc(1, 65536), *result = NewPinned(65536);
  CUdeviceptr buffer = NewMemory(65536);
  // @UPLOAD
  OK(cuMemcpyHtoD(buffer, data, 65536));
#ifndef DEFECT
  OK(cuStreamSynchronize(CU_STREAM_LEGACY));
#endif
  // @HERE
  OK(cuMemcpyDtoHAsync(result, buffer, 65536, stream));
  OK(cuCtxSynchronize());
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
  free(data);
  Close(stream);
}
