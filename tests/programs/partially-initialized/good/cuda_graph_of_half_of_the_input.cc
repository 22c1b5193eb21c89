// A whole buffer is uploaded before a kernel in a graph reads all of it.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction copy = Kernel(KERNEL_COPY);
  CUstream stream = NewStream();
  static float data[1024];
  CUdeviceptr in, out;
  OK(cuMemAlloc(&in, sizeof(data)));
  OK(cuMemAlloc(&out, sizeof(data)));
  CUgraph graph;
  CUgraphExec executable;
  void* arguments[] = {&in, &out};
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  const size_t bytes = sizeof(data);
  OK(cuMemcpyHtoD(in, data, bytes));
  OK(cuCtxSynchronize());
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  OK(cuMemFree(out));
  OK(cuMemFree(in));
  OK(cuStreamDestroy(stream));
  Close();
}
