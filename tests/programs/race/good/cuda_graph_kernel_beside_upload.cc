// A graph doubles a buffer when another stream has uploaded it.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUstream first = NewStream(), second = NewStream();
  CUevent uploaded = NewEvent();
  char* data = NewPinned(4096);
  CUdeviceptr buffer = NewZeros(4096);
  CUgraph graph;
  CUgraphExec executable;
  void* arguments[] = {&buffer};
  OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuStreamEndCapture(first, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, second));
  OK(cuEventRecord(uploaded, second));
  OK(cuStreamWaitEvent(first, uploaded, 0));
  OK(cuGraphLaunch(executable, first));
  OK(cuCtxSynchronize());
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(data));
  OK(cuEventDestroy(uploaded));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  Close();
}
