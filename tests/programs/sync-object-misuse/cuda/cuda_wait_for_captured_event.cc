// Defect: The host waits for an event that was last recorded in a capture.
// Fix: The host waits for an event that was recorded after the launch of what was captured.
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
#ifdef DEFECT
  OK(cuEventRecord(event, stream));
  OK(cuStreamEndCapture(stream, &graph));
  // @HERE
  FAILS(CUDA_ERROR_INVALID_VALUE, cuEventSynchronize(event));
#else
  OK(cuStreamEndCapture(stream, &graph));
  CUgraphExec executable;
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuEventRecord(event, stream));
  OK(cuEventSynchronize(event));
  OK(cuGraphExecDestroy(executable));
#endif
  Close(graph, event, buffer, stream);
}
