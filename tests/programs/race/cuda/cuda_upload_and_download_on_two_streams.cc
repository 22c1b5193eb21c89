// Defect: An asynchronous upload on one stream, the download of it on another, and nothing orders
// them.
// Fix: An asynchronous upload on one stream; the stream that downloads it waits for an event after
// it.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT hazard=RAW
#include "common/cuda.h"

int main() {
  Open();
  CUstream first, second;
  OK(cuStreamCreate(&first, CU_STREAM_DEFAULT));
  OK(cuStreamCreate(&second, CU_STREAM_DEFAULT));
  CUevent uploaded;
  OK(cuEventCreate(&uploaded, CU_EVENT_DISABLE_TIMING));
  char *data, *result;
  OK(cuMemAllocHost((void**)&data, 4096));
  OK(cuMemAllocHost((void**)&result, 4096));
  memset(data, 1, 4096);
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
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
