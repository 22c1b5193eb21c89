// Defect: The half of an allocation is downloaded that the upload left out.
// Fix: The half of an allocation is downloaded that was uploaded.
// EXPECT warning uninitialized-read cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  char *data = NewPinned(2048), *result = NewPinned(2048);
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
  OK(cuMemcpyHtoDAsync(buffer, data, 2048, stream));
#ifdef DEFECT
  const size_t offset = 2048;
#else
  const size_t offset = 0;
#endif
  // @HERE
  OK(cuMemcpyDtoHAsync(result, buffer + offset, 2048, stream));
  OK(cuStreamSynchronize(stream));
  Close(buffer, result, data, stream);
}
