// Defect: The program relies on an allocation to order the commands of two streams. Drivers of today
// do not wait there. Strict mode reports that.
// Fix: The second stream waits for an event of the first one.
// OPTION --strict=true
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at UPLOAD
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(CU_STREAM_DEFAULT), second = NewStream(CU_STREAM_DEFAULT);
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  CUdeviceptr scratch = NewMemory(4096);
#ifndef DEFECT
  CUevent uploaded;
  OK(cuEventCreate(&uploaded, CU_EVENT_DISABLE_TIMING));
  OK(cuEventRecord(uploaded, first));
  OK(cuStreamWaitEvent(second, uploaded, 0));
  OK(cuEventDestroy(uploaded));
#endif
  // @HERE
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuCtxSynchronize());
  OK(cuMemFree(scratch));
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
  OK(cuMemFreeHost(data));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  Close();
}
