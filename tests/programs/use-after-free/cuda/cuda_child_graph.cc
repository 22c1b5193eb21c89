// Defect given_freed_memory: The kernel of a child graph, two levels deep, is given other memory in
// the executable graph, which is freed before the launch.
// EXPECT error use-after-free cuGraphLaunch at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT-PARTY recorded at RECORDED
// EXPECT-FACT argument=2
// EXIT any
// Defect of_a_clone: A kernel is in a child graph, two levels deep in a clone, and its memory is
// freed between launches. The finding names the call that added the kernel, not those that added
// the child graphs. (No thread uses the memory.)
// EXPECT error use-after-free cuGraphLaunch at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-PARTY release at RELEASED_2
// EXPECT-PARTY recorded at RECORDED_2
// EXPECT-FACT argument=2
// Fix: The memory is freed behind the last launch.
#include "common/cuda_graphs.h"

// Fix: The memory that the kernel had before is freed instead.
static CUgraph GraphOf(CUgraph child, CUgraphNode* node) {
  CUgraph graph;
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddChildGraphNode(node, graph, nullptr, 0, child));
  return graph;
}

static void GivenFreedMemory() {
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
#ifdef DEFECT_given_freed_memory
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
  Release(executable, another, graph, middle, second, first, b, a, stream);
}

// Fix: The memory is freed after the last launch.
static void OfAClone() {
  CUfunction add = Kernel(KERNEL_ADD);
  CUstream stream = NewStream();
  CUdeviceptr second;
  // @CREATED_2
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
  // @RECORDED_2
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
#ifdef DEFECT_of_a_clone
  // @RELEASED_2
  OK(cuMemFree(second));
#endif
  // @HERE_2
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(clone));
  OK(cuMemFree(b));
  OK(cuMemFree(a));
  OK(cuMemFree(third));
  OK(cuMemFree(first));
#ifndef DEFECT_of_a_clone
  OK(cuMemFree(second));
#endif
  Release(stream);
}

int main() {
  Open();
  GivenFreedMemory();
  OfAClone();
  Close();
}
