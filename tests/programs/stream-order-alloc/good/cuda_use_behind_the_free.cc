// Memory of the stream-ordered allocator is used in front of its free.
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr buffer;
  OK(cuMemAllocAsync(&buffer, 4096, stream));
  cuMemsetD8Async(buffer, 0, 4096, stream);
  OK(cuMemFreeAsync(buffer, stream));
  OK(cuCtxSynchronize());
  OK(cuStreamDestroy(stream));
  Close();
}
