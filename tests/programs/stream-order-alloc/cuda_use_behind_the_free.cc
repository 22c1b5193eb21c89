// Defect: Memory of the stream-ordered allocator is used in its own stream after its free.
// Fix: Memory of the stream-ordered allocator is used before its free.
// EXPECT error stream-order-alloc cuMemsetD8Async at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// MAY sticky-error call-failed
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAllocAsync(&buffer, 4096, stream));
#ifndef DEFECT
  cuMemsetD8Async(buffer, 0, 4096, stream);
#endif
  // @RELEASED
  OK(cuMemFreeAsync(buffer, stream));
#ifdef DEFECT
  // @HERE
  cuMemsetD8Async(buffer, 0, 4096, stream);
#endif
  OK(cuCtxSynchronize());
  Close(stream);
}
