// Defect: A capture ends while the stream that it forked to has work that was never joined back.
// Fix: A capture joins the stream that it forked to before it ends.
// EXPECT error sync-object-misuse cuStreamEndCapture CUDA_ERROR_STREAM_CAPTURE_UNJOINED at HERE
// EXPECT-PARTY capture at BEGIN
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent fork = NewEvent(), join = NewEvent();
  CUdeviceptr buffer = NewMemory(8192);
  CUgraph graph = nullptr;
  // @BEGIN
  OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuEventRecord(fork, first));
  OK(cuStreamWaitEvent(second, fork, 0));
  OK(cuMemsetD8Async(buffer, 1, 4096, first));
  OK(cuMemsetD8Async(buffer + 4096, 2, 4096, second));
#ifdef DEFECT
  // @HERE
  FAILS(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, cuStreamEndCapture(first, &graph));
#else
  OK(cuEventRecord(join, second));
  OK(cuStreamWaitEvent(first, join, 0));
  OK(cuStreamEndCapture(first, &graph));
  OK(cuGraphDestroy(graph));
#endif
  Close(join, fork, buffer, second, first);
}
