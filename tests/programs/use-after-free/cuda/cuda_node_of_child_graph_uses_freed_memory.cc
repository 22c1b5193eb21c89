// Defect: A kernel is in a child graph, two levels deep in a clone, and its memory is freed between
// launches. The finding names the call that added the kernel, not those that added the child
// graphs. (No thread uses the memory.)
// Fix: The memory is freed after the last launch.
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
  CUdeviceptr second;
  // @CREATED
  OK(cuMemAlloc(&second, 1 << 20));
  CUdeviceptr first = NewMemory(1 << 20), third = NewMemory(1 << 20);
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096), out = first;
  int n = 0;
  void* arguments[] = {&a, &b, &out, &n};
  CUDA_KERNEL_NODE_PARAMS kernel = KernelNode(add, arguments, 4, 256);
  CUgraph inner, middle, graph, clone;
  CUgraphNode nodes[3], node;
  OK(cuGraphCreate(&inner, 0));
  OK(cuGraphAddKernelNode(&nodes[0], inner, nullptr, 0, &kernel));
  out = second;
  // @RECORDED
  OK(cuGraphAddKernelNode(&nodes[1], inner, nullptr, 0, &kernel));
  out = third;
  OK(cuGraphAddKernelNode(&nodes[2], inner, nodes, 1, &kernel));
  OK(cuGraphCreate(&middle, 0));
  OK(cuGraphAddChildGraphNode(&node, middle, nullptr, 0, inner));
  OK(cuGraphDestroy(inner));
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddChildGraphNode(&node, graph, nullptr, 0, middle));
  OK(cuGraphDestroy(middle));
  OK(cuGraphClone(&clone, graph));
  OK(cuGraphDestroy(graph));
  CUgraphExec executable;
  OK(cuGraphInstantiate(&executable, clone, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
#ifdef DEFECT
  // @RELEASED
  OK(cuMemFree(second));
#endif
  // @HERE
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(clone));
  OK(cuMemFree(b));
  OK(cuMemFree(a));
  OK(cuMemFree(third));
  OK(cuMemFree(first));
#ifndef DEFECT
  OK(cuMemFree(second));
#endif
  Close(stream);
}
