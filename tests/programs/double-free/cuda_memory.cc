// Defect: Device memory is freed twice, and memory of the stream-ordered allocator in its stream
// and by cuMemFree.
// Fix: The memory is freed once.
#include "common/cuda.h"

// Defect: Device memory is freed twice.
// Fix: Device memory is freed once.
// EXPECT error double-free cuMemFree_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
static void Memory() {
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
  // @RELEASED
  OK(cuMemFree(buffer));
#ifdef DEFECT
  // @HERE
  cuMemFree(buffer);
#endif
}

// Defect: Memory of the stream-ordered allocator is freed in its stream and again by cuMemFree.
// Fix: The memory is freed once, in its stream.
// EXPECT error double-free cuMemFree_v2 at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-PARTY release at RELEASED_2
static void FreeBehindFreeAsync() {
  CUstream stream = NewStream();
  CUdeviceptr buffer;
  // @CREATED_2
  OK(cuMemAllocAsync(&buffer, 4096, stream));
  OK(cuMemsetD8Async(buffer, 0, 4096, stream));
  // @RELEASED_2
  OK(cuMemFreeAsync(buffer, stream));
  OK(cuStreamSynchronize(stream));
#ifdef DEFECT
  // @HERE_2
  cuMemFree(buffer);
#endif
  Release(stream);
}

int main() {
  Open();
  Memory();
  FreeBehindFreeAsync();
  Close();
}
