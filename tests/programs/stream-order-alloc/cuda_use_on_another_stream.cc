// Defect: Memory of the stream-ordered allocator is used on another stream, which waits for
// nothing.
// Fix: The other stream waits for an event after the allocation.
// EXPECT error stream-order-alloc cuMemcpyHtoDAsync_v2 at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent allocated = NewEvent();
  char* data = NewPinned(4096);
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAllocAsync(&buffer, 4096, first));
  OK(cuEventRecord(allocated, first));
#ifndef DEFECT
  OK(cuStreamWaitEvent(second, allocated, 0));
#endif
  // @HERE
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, second));
  OK(cuCtxSynchronize());
  Close(buffer, data, allocated, second, first);
}
