// Defect: Two branches of a capture use the same memory: the second one forks off before the
// upload.
// Fix: Two branches of a capture use the same memory: the second one forks off after the upload.
// EXPECT error race cuGraphLaunch at LAUNCH
// EXPECT-PARTY pending-command
// EXPECT-PARTY recorded
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent fork = NewEvent(), join = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewZeros(4096);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_RELAXED));
#ifndef DEFECT
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
#endif
  OK(cuEventRecord(fork, first));
  OK(cuStreamWaitEvent(second, fork, 0));
#ifdef DEFECT
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
#endif
  // @DOWNLOAD
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuEventRecord(join, second));
  OK(cuStreamWaitEvent(first, join, 0));
  OK(cuStreamEndCapture(first, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @LAUNCH
  OK(cuGraphLaunch(executable, first));
  OK(cuStreamSynchronize(first));
  Close(executable, graph, buffer, result, data, join, fork, second, first);
}
