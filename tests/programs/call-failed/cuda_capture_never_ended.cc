// Defect: A stream is destroyed in the middle of its capture, which is never ended. The driver then
// refuses to free memory; that is no second finding, a leak.
// Fix: The capture is ended before the stream is destroyed.
// EXPECT warning call-failed cuMemFree_v2 CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED at HERE
// EXPECT-PARTY capture at BEGAN
// EXPECT-TEXT was never ended
// EXPECT-TEXT end the capture before cuMemFree
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr memory = NewMemory(4096);
  // @BEGAN
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OK(cuMemsetD8Async(memory, 0, 4096, stream));
#ifndef DEFECT
  CUgraph graph;
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphDestroy(graph));
#endif
  cuStreamDestroy(stream);
  // @HERE
  cuMemFree(memory);
}
