// Defect: cuMemFree, which does not wait, frees memory of the stream-ordered allocator without a
// wait for the download. (The program sleeps first, so that the driver survives.)
// Fix: The program waits for the download before cuMemFree.
// EXPECT error free-in-flight cuMemFree_v2 at HERE
// EXPECT-PARTY pending-command at PENDING
// EXPECT-PARTY allocation at CREATED
#include <unistd.h>

#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  char* result = NewPinned(4096);
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAllocAsync(&buffer, 4096, stream));
  OK(cuMemsetD8Async(buffer, 0, 4096, stream));
  // @PENDING
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
#ifdef DEFECT
  usleep(200000);
#else
  OK(cuStreamSynchronize(stream));
#endif
  // @HERE
  OK(cuMemFree(buffer));
  OK(cuCtxSynchronize());
  Close(result, stream);
}
