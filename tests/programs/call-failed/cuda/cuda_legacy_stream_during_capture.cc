// Defect: Work in the legacy stream, which would have to wait for a blocking stream that is
// captured.
// Fix: The stream that is captured is a non-blocking one, for which the legacy stream does not
// wait.
// EXPECT warning call-failed cuMemsetD8Async CUDA_ERROR_STREAM_CAPTURE_IMPLICIT at HERE
// EXPECT-PARTY capture at BEGIN
#include "common/cuda.h"

int main() {
  Open();
#ifdef DEFECT
  CUstream stream = NewStream(CU_STREAM_DEFAULT);
#else
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
#endif
  CUdeviceptr buffer = NewMemory(4096), other = NewMemory(4096);
  CUgraph graph = nullptr;
  // @BEGIN
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuMemsetD8Async(buffer, 1, 4096, stream));
#ifdef DEFECT
  // @HERE
  cuMemsetD8Async(other, 2, 4096, nullptr);
  cuStreamEndCapture(stream, &graph);
#else
  OK(cuMemsetD8Async(other, 2, 4096, nullptr));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphDestroy(graph));
#endif
  Close(other, buffer, stream);
}
