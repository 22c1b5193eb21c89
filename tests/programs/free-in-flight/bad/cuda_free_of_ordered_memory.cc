// Memory of the stream-ordered allocator is freed by cuMemFree, which does not wait for it,
// while a download is pending.
// EXPECT error free-in-flight cuMemFree_v2 at HERE
// EXPECT-PARTY pending-command at PENDING
// EXPECT-PARTY allocation at CREATED
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
  // @HERE
  OK(cuMemFree(buffer));
  OK(cuCtxSynchronize());
  OK(cuMemFreeHost(result));
  OK(cuStreamDestroy(stream));
  Close();
}
