// Defect: Asynchronous copies with pageable memory may or may not wait; a download is handed on to
// another stream. Strict mode says so.
// Fix: An asynchronous download to pageable memory is handed on behind a wait.
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
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  Close();
}
