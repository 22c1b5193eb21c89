// Defect: The event is recorded before the upload, so that waiting for it does not wait for the
// upload.
// Fix: The event is recorded after the upload.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-FACT hazard=RAW
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent uploaded = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
#ifdef DEFECT
  OK(cuEventRecord(uploaded, first));
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
#else
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuEventRecord(uploaded, first));
#endif
  OK(cuStreamWaitEvent(second, uploaded, 0));
  // @HERE
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuCtxSynchronize());
  Close(buffer, result, data, uploaded, second, first);
}
