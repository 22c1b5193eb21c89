// A capture forks to a second stream and ends without having joined it.
// EXPECT error sync-object-misuse cuStreamEndCapture CUDA_ERROR_STREAM_CAPTURE_UNJOINED at HERE
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent fork = NewEvent(), join = NewEvent();
  CUdeviceptr buffer = NewMemory(4096);
  CUgraph graph = nullptr;
  OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuEventRecord(fork, first));
  OK(cuStreamWaitEvent(second, fork, 0));
  OK(cuMemsetD8Async(buffer, 0, 4096, second));
  OK(cuEventRecord(join, second));
  // @HERE
  cuStreamEndCapture(first, &graph);
  if (graph) OK(cuGraphDestroy(graph));
  OK(cuMemFree(buffer));
  OK(cuEventDestroy(join));
  OK(cuEventDestroy(fork));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  Close();
}
