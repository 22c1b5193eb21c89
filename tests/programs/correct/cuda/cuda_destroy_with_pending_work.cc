// Streams, events and executable graphs may be destroyed while work of theirs is pending.
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent uploaded = NewEvent();
  char *data = NewPinned(1 << 20), *result = NewPinned(1 << 20);
  memset(data, 3, 1 << 20);
  CUdeviceptr buffer = NewMemory(1 << 20);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OK(cuMemcpyHtoDAsync(buffer, data, 1 << 20, first));
  OK(cuStreamEndCapture(first, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphDestroy(graph));
  OK(cuGraphLaunch(executable, first));
  OK(cuGraphExecDestroy(executable));
  OK(cuEventRecord(uploaded, first));
  OK(cuStreamDestroy(first));
  OK(cuStreamWaitEvent(second, uploaded, 0));
  OK(cuEventDestroy(uploaded));
  OK(cuMemcpyDtoHAsync(result, buffer, 1 << 20, second));
  OK(cuStreamDestroy(second));
  OK(cuCtxSynchronize());
  CHECK(result[0] == 3 && result[(1 << 20) - 1] == 3);
  Close(buffer, result, data);
}
