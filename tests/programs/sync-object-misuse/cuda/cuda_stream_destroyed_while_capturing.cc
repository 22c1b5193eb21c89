// Defect: A stream is destroyed in the middle of its capture: the captured fill never runs.
// Fix: The capture is ended before the stream is destroyed.
// EXPECT warning sync-object-misuse cuStreamDestroy_v2 at HERE
// EXPECT-PARTY capture at BEGAN
// EXPECT-TEXT the captured work is lost
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
  // @HERE
  OK(cuStreamDestroy(stream));
  Close(memory);
}
