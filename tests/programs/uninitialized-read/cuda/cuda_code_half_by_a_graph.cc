// Defect: A kernel of a graph writes half of a buffer, and the other half is downloaded.
// Fix: The graph writes both halves.
// EXPECT warning uninitialized-read cuMemcpyDtoH_v2 at DOWNLOAD
// EXPECT-TEXT from a part that nothing has written
// EXPECT warning uninitialized-read cuMemcpyDtoH_v2 at UPDATED
#include "common/cuda_graphs.h"
#include "common/cuda_machine_code.h"

static int result[1024];

// The kernel of the graph has half of the blocks that it needs.
static void ByBlocks() {
  CUdeviceptr out = NewMemory(8192);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  int value = 3;
  void* arguments[] = {&out, &value};
#ifdef DEFECT
  const unsigned blocks = 4;
#else
  const unsigned blocks = 8;
#endif
  CUDA_KERNEL_NODE_PARAMS fill = KernelNode(CodeKernel(CODE_FILL), arguments, blocks, 256);
  CUgraphNode node;
  OK(cuGraphAddKernelNode(&node, graph, nullptr, 0, &fill));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, nullptr));
  // @DOWNLOAD
  OK(cuMemcpyDtoH(result, out + 4096, 4096));
  Release(executable, graph, out);
}

// The second launch has other parameters, and must write the other half.
static void ByUpdate() {
  CUdeviceptr out = NewMemory(8192), half = out;
  CUgraph graph;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  int value = 3;
  void* arguments[] = {&half, &value};
  CUDA_KERNEL_NODE_PARAMS fill = KernelNode(CodeKernel(CODE_FILL), arguments, 4, 256);
  CUgraphNode node;
  OK(cuGraphAddKernelNode(&node, graph, nullptr, 0, &fill));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, nullptr));
  value = 4;
#ifndef DEFECT
  half = out + 4096;
#endif
  OK(cuGraphExecKernelNodeSetParams(executable, node, &fill));
  OK(cuGraphLaunch(executable, nullptr));
  // @UPDATED
  OK(cuMemcpyDtoH(result, out + 4096, 4096));
  Release(executable, graph, out);
}

int main() {
  Open();
  ByBlocks();
  ByUpdate();
  Close();
}
