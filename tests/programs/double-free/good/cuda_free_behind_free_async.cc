// Memory of the stream-ordered allocator is freed in its stream.
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr buffer;
  OK(cuMemAllocAsync(&buffer, 4096, stream));
  OK(cuMemsetD8Async(buffer, 0, 4096, stream));
  OK(cuMemFreeAsync(buffer, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuStreamDestroy(stream));
  Close();
}
