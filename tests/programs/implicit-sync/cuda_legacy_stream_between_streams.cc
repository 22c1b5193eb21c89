// Defect: A fill in the legacy stream waits for all blocking streams. Reported only with an option.
// Fix: The fill is in a stream of its own, which waits for no other stream.
// OPTION --enable=implicit-sync
// EXPECT warning implicit-sync cuMemsetD8_v2 at HERE
// EXPECT-FACT busy_queues=2
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(CU_STREAM_DEFAULT), second = NewStream(CU_STREAM_DEFAULT);
#ifndef DEFECT
  CUstream third = NewStream(CU_STREAM_DEFAULT);
#endif
  char* data = NewPinned(8192);
  CUdeviceptr one = NewMemory(4096), two = NewMemory(4096), other = NewMemory(4096);
  OK(cuCtxSynchronize());
  OK(cuMemcpyHtoDAsync(one, data, 4096, first));
  OK(cuMemcpyHtoDAsync(two, data + 4096, 4096, second));
#ifdef DEFECT
  // @HERE
  OK(cuMemsetD8(other, 0, 4096));
#else
  OK(cuMemsetD8Async(other, 0, 4096, third));
#endif
  OK(cuCtxSynchronize());
  OK(cuMemFree(other));
  OK(cuMemFree(two));
  OK(cuMemFree(one));
  OK(cuMemFreeHost(data));
#ifndef DEFECT
  OK(cuStreamDestroy(third));
#endif
  Close(second, first);
}
