// Defect: Two kernels of a graph write the same bytes, and no edge leads from one to the other.
// Fix: An edge leads to the second kernel.
// EXPECT error race cuGraphLaunch at HERE
// EXPECT-TEXT of kernel .*writes .* through argument 0.*, which another cuGraphAddKernelNode
// EXPECT-FACT hazard=WAW
#include "common/cuda_graphs.h"
#include "common/cuda_machine_code.h"

static CUgraphNode Fill(CUgraph graph, const CUgraphNode* behind, size_t count, CUdeviceptr out) {
  int value = 3;
  void* arguments[] = {&out, &value};
  CUDA_KERNEL_NODE_PARAMS fill = KernelNode(CodeKernel(CODE_FILL), arguments, 4, 256);
  CUgraphNode node;
  OK(cuGraphAddKernelNode(&node, graph, behind, count, &fill));
  return node;
}

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr buffer = NewMemory(4096);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  CUgraphNode first = Fill(graph, nullptr, 0, buffer);
#ifdef DEFECT
  Fill(graph, nullptr, 0, buffer);
#else
  Fill(graph, &first, 1, buffer);
#endif
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @HERE
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  Close(executable, graph, buffer, stream);
}
