// Defect: An asynchronous download to pageable memory may or may not wait, and another stream uses
// its target. Strict mode reports that.
// Fix: The host waits for the download first.
// OPTION --strict=true
// EXPECT error host-race cuMemcpyHtoDAsync_v2 at HERE
// EXPECT-PARTY pending-command at DOWNLOAD
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  char* block = (char*)calloc(1, 65536);
  CUdeviceptr from = NewZeros(65536), to = NewMemory(65536);
  // @DOWNLOAD
  OK(cuMemcpyDtoHAsync(block, from, 65536, first));
#ifndef DEFECT
  OK(cuStreamSynchronize(first));
#endif
  // @HERE
  OK(cuMemcpyHtoDAsync(to, block, 65536, second));
  OK(cuCtxSynchronize());
  OK(cuMemFree(to));
  OK(cuMemFree(from));
  free(block);
  Close(second, first);
}
