// Defect: The kernel of a child graph, two levels deep, is given other memory in the executable
// graph, which is freed before the launch.
// Fix: The memory that the kernel had before is freed instead.
// EXPECT error use-after-free cuGraphLaunch at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT-PARTY recorded at RECORDED
// EXPECT-FACT argument=2
// EXIT any
#include "common/cuda_graphs.h"

static CUgraph GraphOf(CUgraph child, CUgraphNode* node) {
  CUgraph graph;
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddChildGraphNode(node, graph, nullptr, 0, child));
  return graph;
}

int main() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUstream stream = NewStream();
  CUdeviceptr out, other;
  // @CREATED
  OK(cuMemAlloc(&other, 1 << 20));
  OK(cuMemAlloc(&out, 1 << 20));
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096);
  int n = 1;
  void* arguments[] = {&a, &b, &out, &n};
  CUDA_KERNEL_NODE_PARAMS kernel = KernelNode(add, arguments, 4, 256);
  CUgraph first, second;
  CUgraphNode node, inner, outer;
  OK(cuGraphCreate(&first, 0));
  OK(cuGraphAddKernelNode(&node, first, nullptr, 0, &kernel));
  arguments[2] = &other;
  OK(cuGraphCreate(&second, 0));
  // @RECORDED
  OK(cuGraphAddKernelNode(&node, second, nullptr, 0, &kernel));
  CUgraph middle = GraphOf(first, &inner), graph = GraphOf(middle, &outer);
  CUgraph another = GraphOf(second, &inner);
  CUgraphExec executable;
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  CUgraphNodeParams given = {};
  given.type = CU_GRAPH_NODE_TYPE_GRAPH;
  given.graph.graph = another;
  OK(cuGraphExecNodeSetParams(executable, outer, &given));
#ifdef DEFECT
  // @RELEASED
  OK(cuMemFree(other));
  // @HERE
  OK(cuGraphLaunch(executable, stream));
  _Exit(0);  // a wait may return the fault
#else
  OK(cuMemFree(out));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemFree(other));
#endif
  Close(executable, another, graph, middle, second, first, b, a, stream);
}
