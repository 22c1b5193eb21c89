// Defect: A program moves the content of an allocation down by a copy whose ranges overlap.
// Fix: The content is copied through a second allocation.
// EXPECT error race cuMemcpyDtoDAsync_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT overlap_bytes=3072
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr queue;
  // @CREATED
  OK(cuMemAlloc(&queue, 8192));
  OK(cuMemsetD8Async(queue, 1, 8192, stream));
#ifdef DEFECT
  // @HERE
  OK(cuMemcpyDtoDAsync(queue, queue + 1024, 4096, stream));
#else
  CUdeviceptr copy = NewMemory(4096);
  OK(cuMemcpyDtoDAsync(copy, queue + 1024, 4096, stream));
  OK(cuMemcpyDtoDAsync(queue, copy, 4096, stream));
  // Ranges side by side, and bytes onto themselves.
  OK(cuMemcpyDtoDAsync(queue, queue + 4096, 4096, stream));
  OK(cuMemcpyDtoDAsync(queue, queue, 4096, stream));
#endif
  OK(cuStreamSynchronize(stream));
#ifndef DEFECT
  OK(cuMemFree(copy));
#endif
  Close(queue, stream);
}
