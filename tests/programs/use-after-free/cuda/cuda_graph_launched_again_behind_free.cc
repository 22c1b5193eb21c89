// Defect: A graph with a kernel runs twice, and between the launches its output is freed. (No
// thread of the launch uses it.)
// Fix: The output is replaced between the launches, and the parameters of the node are updated.
// EXPECT error use-after-free cuGraphLaunch at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT-PARTY recorded at RECORDED
// EXPECT-FACT argument=2
#include "common/cuda_graphs.h"

int main() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUstream stream = NewStream();
  CUdeviceptr out;
  // @CREATED
  OK(cuMemAlloc(&out, 1 << 20));
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096);
  CUgraph graph;
  CUgraphExec executable;
  CUgraphNode node;
  int n = 0;
  void* arguments[] = {&a, &b, &out, &n};
  CUDA_KERNEL_NODE_PARAMS kernel = KernelNode(add, arguments, 4, 256);
  OK(cuGraphCreate(&graph, 0));
  // @RECORDED
  OK(cuGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  // @RELEASED
  OK(cuMemFree(out));
#ifndef DEFECT
  OK(cuMemAlloc(&out, 2 << 20));
  OK(cuGraphExecKernelNodeSetParams(executable, node, &kernel));
#endif
  // @HERE
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
#ifndef DEFECT
  OK(cuMemFree(out));
#endif
  Close(b, a, stream);
}
