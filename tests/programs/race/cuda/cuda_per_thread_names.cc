// Defect: The per-thread variants of the calls use the thread's own default stream, which does not
// wait for a non-blocking stream.
// Fix: The thread's own default stream waits for the non-blocking stream.
// EXPECT error race cuMemcpyDtoHAsync_v2_ptsz at HERE
// EXPECT-PARTY pending-command at UPLOAD
#define CUDA_API_PER_THREAD_DEFAULT_STREAM
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
  CUevent uploaded = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, stream));
  OK(cuEventRecord(uploaded, stream));
#ifndef DEFECT
  OK(cuStreamWaitEvent(nullptr, uploaded, 0));
#endif
  // @HERE
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, nullptr));
  OK(cuCtxSynchronize());
  Close(buffer, result, data, uploaded, stream);
}
