// Memory of the stream-ordered allocator is freed by cuMemFree behind a wait.
#include <unistd.h>

#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  char* result = NewPinned(4096);
  CUdeviceptr buffer;
  OK(cuMemAllocAsync(&buffer, 4096, stream));
  OK(cuMemsetD8Async(buffer, 0, 4096, stream));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemFree(buffer));
  OK(cuCtxSynchronize());
  OK(cuMemFreeHost(result));
  OK(cuStreamDestroy(stream));
  Close();
}
