// What the advice checks speak of is right: without being asked they say nothing.
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream(CU_STREAM_DEFAULT);
  char *pageable = (char*)calloc(1, 65536), *locked = NewPinned(65536);
  CUdeviceptr buffer = NewMemory(65536), other = NewMemory(4096), scratch = NewMemory(4096);
  OK(cuMemcpyHtoDAsync(buffer, pageable, 65536, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemcpyHtoDAsync(buffer, locked, 65536, stream));
  OK(cuMemsetD8(other, 0, 4096));
  OK(cuMemFree(scratch));
  OK(cuCtxSynchronize());
  OK(cuMemFree(other));
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(locked));
  free(pageable);
  Close(stream);
}
