// Defect: A child graph in an executable graph is changed to fill another buffer, which is
// downloaded on a stream that does not wait for the launch.
// Fix: The stream that downloads the buffer waits for the launch.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-FACT hazard=RAW
#include "common/cuda.h"

static CUgraph GraphThatFills(CUdeviceptr buffer) {
  CUgraph graph;
  CUgraphNode node;
  CUDA_MEMSET_NODE_PARAMS fill = {buffer, 0, 7, 1, 4096, 1};
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context));
  return graph;
}

int main() {
  Open();
  CUstream stream = NewStream(), other = NewStream();
  char* result = NewPinned(4096);
  CUdeviceptr old = NewZeros(4096), buffer = NewZeros(4096);
  CUgraph graph, child = GraphThatFills(old), another = GraphThatFills(buffer);
  CUgraphNode node;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddChildGraphNode(&node, graph, nullptr, 0, child));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphExecChildGraphNodeSetParams(executable, node, another));
  // @LAUNCH
  OK(cuGraphLaunch(executable, stream));
#ifndef DEFECT
  CUevent filled = NewEvent();
  OK(cuEventRecord(filled, stream));
  OK(cuStreamWaitEvent(other, filled, 0));
#endif
  // @HERE
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, other));
  OK(cuCtxSynchronize());
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  OK(cuGraphDestroy(another));
  OK(cuGraphDestroy(child));
  OK(cuMemFree(buffer));
  OK(cuMemFree(old));
  OK(cuMemFreeHost(result));
#ifndef DEFECT
  OK(cuEventDestroy(filled));
#endif
  Close(other, stream);
}
