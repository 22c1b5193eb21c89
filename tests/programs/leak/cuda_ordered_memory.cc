// Defect: Memory of the stream-ordered allocator is never freed.
// Fix: Memory of the stream-ordered allocator is freed.
// EXPECT error leak cuMemAllocAsync at CREATED
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAllocAsync(&buffer, 4096, stream));
  OK(cuMemsetD8Async(buffer, 0, 4096, stream));
#ifndef DEFECT
  OK(cuMemFreeAsync(buffer, stream));
#endif
  OK(cuStreamSynchronize(stream));
  Close(stream);
}
