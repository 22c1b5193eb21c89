// Defect: The host waits for a stream while it is captured, which is an error and ends the capture.
// Fix: The host waits after the capture.
// EXPECT error sync-object-misuse cuStreamSynchronize at HERE
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr buffer = NewMemory(4096);
  CUgraph graph = nullptr;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuMemsetD8Async(buffer, 0, 4096, stream));
#ifdef DEFECT
  // @HERE
  cuStreamSynchronize(stream);
  cuStreamEndCapture(stream, &graph);
#else
  cuStreamEndCapture(stream, &graph);
  OK(cuStreamSynchronize(stream));
#endif
  if (graph) OK(cuGraphDestroy(graph));
  Close(buffer, stream);
}
