// Defect: An asynchronous upload from pageable memory, which may wait. Reported only with an
// option.
// Fix: The memory is page-locked.
// OPTION --enable=pageable-async-copy
// EXPECT note pageable-async-copy cuMemcpyHtoDAsync_v2 at HERE
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  char *pageable = (char*)calloc(1, 65536), *locked = NewPinned(65536);
  CUdeviceptr buffer = NewMemory(65536);
#ifdef DEFECT
  char* data = pageable;
#else
  char* data = locked;
#endif
  // @HERE
  OK(cuMemcpyHtoDAsync(buffer, data, 65536, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(locked));
  free(pageable);
  Close(stream);
}
