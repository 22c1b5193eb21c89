// Defect: A graph is launched again while the memory that its first launch allocated exists.
// Fix: The memory is freed in stream order before the second launch.
// EXPECT warning call-failed cuGraphLaunch CUDA_ERROR_INVALID_VALUE at HERE
#include "common/cuda_graphs.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUgraph graph;
  CUgraphNode node;
  CUgraphExec executable;
  CUDA_MEM_ALLOC_NODE_PARAMS memory = MemoryNode(4096);
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddMemAllocNode(&node, graph, nullptr, 0, &memory));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
#ifndef DEFECT
  OK(cuMemFreeAsync(memory.dptr, stream));
#endif
  // @HERE
  cuGraphLaunch(executable, stream);
  OK(cuMemFreeAsync(memory.dptr, stream));
  OK(cuStreamSynchronize(stream));
  Close(executable, graph, stream);
}
