// The host waits for an event that was last recorded in a capture.
// EXPECT error sync-object-misuse cuEventSynchronize CUDA_ERROR_INVALID_VALUE at HERE
// EXPECT-PARTY allocation
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUevent event = NewEvent();
  CUdeviceptr buffer = NewMemory(4096);
  CUgraph graph;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuMemsetD8Async(buffer, 1, 4096, stream));
  OK(cuEventRecord(event, stream));
  OK(cuStreamEndCapture(stream, &graph));
  // @HERE
  FAILS(CUDA_ERROR_INVALID_VALUE, cuEventSynchronize(event));
  OK(cuGraphDestroy(graph));
  OK(cuEventDestroy(event));
  OK(cuMemFree(buffer));
  OK(cuStreamDestroy(stream));
  Close();
}
