// An asynchronous upload from page-locked memory.
// OPTION --enable=pageable-async-copy
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  char *pageable = (char*)calloc(1, 65536), *locked = NewPinned(65536);
  CUdeviceptr buffer = NewMemory(65536);
  char* data = locked;
  OK(cuMemcpyHtoDAsync(buffer, data, 65536, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(locked));
  free(pageable);
  OK(cuStreamDestroy(stream));
  Close();
}
