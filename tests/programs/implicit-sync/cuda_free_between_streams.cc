// Defect: Memory is freed while another stream works: the free waits for all streams. Reported only
// with an option.
// Fix: The free comes before the work of the other stream.
// OPTION --enable=implicit-sync
// EXPECT warning implicit-sync cuMemFree_v2 at HERE
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  char* data = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096), other;
  OK(cuMemAllocAsync(&other, 4096, second));
  OK(cuMemsetD8Async(other, 0, 4096, second));
  CUdeviceptr scratch = NewMemory(4096);
  OK(cuCtxSynchronize());
#ifdef DEFECT
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  // @HERE
  OK(cuMemFree(scratch));
#else
  OK(cuMemFree(scratch));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
#endif
  OK(cuMemFreeAsync(other, second));
  OK(cuCtxSynchronize());
  Close(buffer, data, second, first);
}
