// A stream waits for an event that is recorded only later: the wait binds when it is called,
// and is no wait.
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
  OK(cuEventRecord(uploaded, first));
  OK(cuEventSynchronize(uploaded));
  OK(cuStreamWaitEvent(second, uploaded, 0));
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuEventRecord(uploaded, first));
  // @HERE
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuCtxSynchronize());
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
  OK(cuMemFreeHost(data));
  OK(cuEventDestroy(uploaded));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  Close();
}
