// Defect: Each turn of a loop instantiates a graph, launches it and keeps it.
// Fix: Each turn of a loop destroys the executable graph that it created.
// EXPECT warning leak cuGraphInstantiateWithFlags at HERE
// EXPECT-FACT objects=50
#include "common/cuda_graphs.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr buffer = NewMemory(4096);
  CUgraph graph;
  CUgraphNode node;
  OK(cuGraphCreate(&graph, 0));
  CUDA_MEMSET_NODE_PARAMS fill = FillNode(buffer, 0, 4096);
  OK(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context));
  for (int turn = 0; turn < 50; ++turn) {
    CUgraphExec exec;
    // @HERE
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
#ifndef DEFECT
    OK(cuGraphExecDestroy(exec));
#endif
  }
  Close(graph, buffer, stream);
}
