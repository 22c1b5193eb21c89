// Defect: A graph downloads a buffer while another stream uploads it.
// Fix: The stream of the graph waits for the upload.
// EXPECT error race cuGraphLaunch at HERE
// EXPECT-PARTY pending-command at UPLOAD
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent uploaded = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, first));
  OK(cuStreamEndCapture(first, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, second));
  OK(cuEventRecord(uploaded, second));
#ifndef DEFECT
  OK(cuStreamWaitEvent(first, uploaded, 0));
#endif
  // @HERE
  OK(cuGraphLaunch(executable, first));
  OK(cuCtxSynchronize());
  Close(executable, graph, buffer, result, data, uploaded, second, first);
}
