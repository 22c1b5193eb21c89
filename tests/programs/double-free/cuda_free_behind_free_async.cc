// Defect: Memory of the stream-ordered allocator is freed in its stream and again by cuMemFree.
// Fix: The memory is freed once, in its stream.
// EXPECT error double-free cuMemFree_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAllocAsync(&buffer, 4096, stream));
  OK(cuMemsetD8Async(buffer, 0, 4096, stream));
  // @RELEASED
  OK(cuMemFreeAsync(buffer, stream));
  OK(cuStreamSynchronize(stream));
#ifdef DEFECT
  // @HERE
  cuMemFree(buffer);
#endif
  Close(stream);
}
