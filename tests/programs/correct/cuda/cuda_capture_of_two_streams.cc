// A capture forks to a second stream and joins it again by events; the branches of the graph
// work side by side.
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent fork = NewEvent(), join = NewEvent();
  char *data = NewPinned(8192), *result = NewPinned(8192);
  memset(data, 1, 4096);
  memset(data + 4096, 2, 4096);
  CUdeviceptr buffer = NewMemory(8192);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuEventRecord(fork, first));
  OK(cuStreamWaitEvent(second, fork, 0));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuMemcpyHtoDAsync(buffer + 4096, data + 4096, 4096, second));
  OK(cuEventRecord(join, second));
  OK(cuStreamWaitEvent(first, join, 0));
  OK(cuMemcpyDtoHAsync(result, buffer, 8192, first));
  OK(cuStreamEndCapture(first, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, first));
  OK(cuStreamSynchronize(first));
  CHECK(result[0] == 1 && result[8191] == 2);
  OK(cuGraphLaunch(executable, second));
  OK(cuGraphLaunch(executable, first));  // behind the launch on the other stream
  OK(cuCtxSynchronize());
  Close(executable, graph, buffer, result, data, join, fork, second, first);
}
