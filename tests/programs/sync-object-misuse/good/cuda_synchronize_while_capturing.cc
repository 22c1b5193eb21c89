// The host waits for a stream when its capture is over.
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr buffer = NewMemory(4096);
  CUgraph graph = nullptr;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuMemsetD8Async(buffer, 0, 4096, stream));
  cuStreamEndCapture(stream, &graph);
  OK(cuStreamSynchronize(stream));
  if (graph) OK(cuGraphDestroy(graph));
  OK(cuMemFree(buffer));
  OK(cuStreamDestroy(stream));
  Close();
}
