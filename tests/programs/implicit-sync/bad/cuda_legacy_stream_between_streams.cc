// A set in the legacy stream, which waits for all blocking streams. Reported only when asked for.
// OPTION --enable=implicit-sync
// EXPECT warning implicit-sync cuMemsetD8_v2 at HERE
// EXPECT-FACT busy_queues=2
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(CU_STREAM_DEFAULT), second = NewStream(CU_STREAM_DEFAULT);
  char* data = NewPinned(8192);
  CUdeviceptr one = NewMemory(4096), two = NewMemory(4096), other = NewMemory(4096);
  OK(cuCtxSynchronize());
  OK(cuMemcpyHtoDAsync(one, data, 4096, first));
  OK(cuMemcpyHtoDAsync(two, data + 4096, 4096, second));
  // @HERE
  OK(cuMemsetD8(other, 0, 4096));
  OK(cuCtxSynchronize());
  OK(cuMemFree(other));
  OK(cuMemFree(two));
  OK(cuMemFree(one));
  OK(cuMemFreeHost(data));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  Close();
}
