// Defect: The stream that uploads has the higher priority, which orders nothing.
// Fix: The stream that uploads has the higher priority, and the other waits for it.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at UPLOAD
#include "common/cuda.h"

int main() {
  Open();
  int least, greatest;
  OK(cuCtxGetStreamPriorityRange(&least, &greatest));
  CUstream first, second;
  OK(cuStreamCreateWithPriority(&first, CU_STREAM_NON_BLOCKING, greatest));
  OK(cuStreamCreateWithPriority(&second, CU_STREAM_NON_BLOCKING, least));
  CUevent uploaded = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
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
