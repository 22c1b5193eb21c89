// An asynchronous download to pageable memory is handed on behind a wait.
// OPTION --strict=true
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  char* block = (char*)calloc(1, 65536);
  CUdeviceptr from = NewZeros(65536), to = NewMemory(65536);
  OK(cuMemcpyDtoHAsync(block, from, 65536, first));
  OK(cuStreamSynchronize(first));
  OK(cuMemcpyHtoDAsync(to, block, 65536, second));
  OK(cuCtxSynchronize());
  OK(cuMemFree(to));
  OK(cuMemFree(from));
  free(block);
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  Close();
}
