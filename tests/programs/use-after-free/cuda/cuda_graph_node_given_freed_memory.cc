// Defect: The node of an executable graph is given new parameters, and one of them is memory that
// has been freed.
// Fix: The memory of the old parameters is freed instead.
// EXPECT error use-after-free cuGraphLaunch at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT-FACT argument=2
// EXIT any
#include "common/cuda_graphs.h"

int main() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUstream stream = NewStream();
  CUdeviceptr out, other;
  // @CREATED
  OK(cuMemAlloc(&other, 1 << 20));
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096);
  OK(cuMemAlloc(&out, 1 << 20));
  CUgraph graph;
  CUgraphExec executable;
  CUgraphNode node;
  int n = 1;
  void* arguments[] = {&a, &b, &out, &n};
  CUDA_KERNEL_NODE_PARAMS kernel = KernelNode(add, arguments, 4, 256);
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
#ifdef DEFECT
  // @RELEASED
  OK(cuMemFree(other));
#endif
  arguments[2] = &other;
  OK(cuGraphExecKernelNodeSetParams(executable, node, &kernel));
#ifndef DEFECT
  OK(cuMemFree(out));
#endif
  // @HERE
  OK(cuGraphLaunch(executable, stream));
#ifdef DEFECT
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
#ifdef DEFECT
  OK(cuMemFree(out));
#else
  OK(cuMemFree(other));
#endif
  Close(b, a, stream);
}
