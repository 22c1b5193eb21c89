// Defect: Another stream uses the target of a download before anything has waited for the download.
// Fix: The other stream waits for an event after the download.
// EXPECT error race cuMemcpyHtoDAsync_v2 at HERE
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=RAW
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent downloaded = NewEvent();
  CUdeviceptr one = NewZeros(4096), two = NewMemory(4096);
  char* result = NewPinned(4096);
  // @FIRST
  OK(cuMemcpyDtoHAsync(result, one, 4096, first));
  OK(cuEventRecord(downloaded, first));
#ifndef DEFECT
  OK(cuStreamWaitEvent(second, downloaded, 0));
#endif
  // @HERE
  OK(cuMemcpyHtoDAsync(two, result, 4096, second));
  OK(cuCtxSynchronize());
  Close(result, two, one, downloaded, second, first);
}
