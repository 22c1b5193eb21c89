// Defect: Memory is freed while a stream is being captured, which the driver refuses and which breaks
// the capture.
// Fix: The capture is ended before the memory is freed.
// EXPECT warning call-failed cuMemFree_v2 CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED at HERE
// EXPECT-PARTY capture at BEGAN
// EXPECT-TEXT end the capture before cuMemFree
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr memory = NewMemory(4096);
  CUgraph graph = nullptr;
  // @BEGAN
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OK(cuMemsetD8Async(memory, 0, 4096, stream));
#ifdef DEFECT
  // @HERE
  FAILS(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuMemFree(memory));
  FAILS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
#else
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphDestroy(graph));
#endif
  Close(memory, stream);
}
