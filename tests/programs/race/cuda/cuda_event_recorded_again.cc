// Defect: An event is recorded after the upload and then again on another stream: the second record
// replaces the first.
// Fix: Each of the two streams has its own event.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-FACT hazard=RAW
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream(), third = NewStream();
  CUevent uploaded = NewEvent(), other = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096), unrelated = NewMemory(4096);
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuEventRecord(uploaded, first));
  OK(cuMemsetD8Async(unrelated, 0, 4096, third));
#ifdef DEFECT
  OK(cuEventRecord(uploaded, third));
#else
  OK(cuEventRecord(other, third));
#endif
  OK(cuStreamWaitEvent(second, uploaded, 0));
  // @HERE
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuCtxSynchronize());
  Close(unrelated, buffer, result, data, other, uploaded, third, second, first);
}
