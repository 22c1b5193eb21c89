// Defect: What a graph uploads on one stream is downloaded on another that does not wait for the
// launch.
// Fix: What a graph uploads on one stream is downloaded on another that waits for the launch.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-FACT hazard=RAW
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream(), other = NewStream();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewZeros(4096);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, stream));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @LAUNCH
  OK(cuGraphLaunch(executable, stream));
#ifndef DEFECT
  CUevent uploaded = NewEvent();
  OK(cuEventRecord(uploaded, stream));
  OK(cuStreamWaitEvent(other, uploaded, 0));
#endif
  // @HERE
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, other));
  OK(cuCtxSynchronize());
  Close(executable, graph, buffer, result, data, other, stream);
}
