// Memory of the stream-ordered allocator is used in its own stream behind its free.
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
  // @RELEASED
  OK(cuMemFreeAsync(buffer, stream));
  // @HERE
  cuMemsetD8Async(buffer, 0, 4096, stream);
  OK(cuCtxSynchronize());
  OK(cuStreamDestroy(stream));
  Close();
}
