// A captured launch keeps the address of its output, which is freed when the graph has run.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUstream stream = NewStream();
  CUdeviceptr out;
  OK(cuMemAlloc(&out, 1 << 20));
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096);
  CUgraph graph;
  CUgraphExec executable;
  int n = 0;
  void* arguments[] = {&a, &b, &out, &n};
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemFree(out));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  OK(cuMemFree(b));
  OK(cuMemFree(a));
  OK(cuStreamDestroy(stream));
  Close();
}
