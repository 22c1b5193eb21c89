// A graph with a kernel runs twice; its output is replaced between the launches, and the node told.
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
  CUgraphNode node;
  int n = 0;
  void* arguments[] = {&a, &b, &out, &n};
  CUDA_KERNEL_NODE_PARAMS kernel = {};
  kernel.func = add;
  kernel.gridDimX = 4;
  kernel.gridDimY = kernel.gridDimZ = 1;
  kernel.blockDimX = 256;
  kernel.blockDimY = kernel.blockDimZ = 1;
  kernel.kernelParams = arguments;
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemFree(out));
  OK(cuMemAlloc(&out, 2 << 20));
  OK(cuGraphExecKernelNodeSetParams(executable, node, &kernel));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  OK(cuMemFree(out));
  OK(cuMemFree(b));
  OK(cuMemFree(a));
  OK(cuStreamDestroy(stream));
  Close();
}
