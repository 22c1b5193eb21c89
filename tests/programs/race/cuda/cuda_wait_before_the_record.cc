// Defect: A stream waits for an event that is recorded later. A wait refers to the last record
// before the call, so this one waits for nothing.
// Fix: The wait comes after the record.
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
#ifdef DEFECT
  OK(cuStreamWaitEvent(second, uploaded, 0));
#endif
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuEventRecord(uploaded, first));
#ifndef DEFECT
  OK(cuStreamWaitEvent(second, uploaded, 0));
#endif
  // @HERE
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuCtxSynchronize());
  Close(buffer, result, data, uploaded, second, first);
}
