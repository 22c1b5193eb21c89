// An executable graph is updated from another graph and its node gets new parameters; each
// launch does what then stands.
#include "common/cuda_graphs.h"

int main() {
  Open();
  CUstream stream = NewStream();
  static char result[8192];
  CUdeviceptr buffer = NewZeros(8192);
  CUgraph graph, other;
  CUgraphExec executable;
  CUgraphNode node, other_node;
  CUDA_MEMSET_NODE_PARAMS fill = FillNode(buffer, 1, 4096);
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  fill.dst = buffer + 4096;
  fill.value = 2;
  OK(cuGraphExecMemsetNodeSetParams(executable, node, &fill, context));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemcpyDtoH(result, buffer, 8192));
  CHECK(result[0] == 1 && result[4096] == 2);
  fill.value = 3;
  OK(cuGraphCreate(&other, 0));
  OK(cuGraphAddMemsetNode(&other_node, other, nullptr, 0, &fill, context));
  CUgraphExecUpdateResultInfo updated;
  OK(cuGraphExecUpdate(executable, other, &updated));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemcpyDtoH(result, buffer, 8192));
  CHECK(result[0] == 1 && result[4096] == 3);
  // The node of the first graph still names the one that was updated; its memory may go.
  CUdeviceptr small = NewMemory(4096);
  fill.dst = small;
  OK(cuGraphExecMemsetNodeSetParams(executable, node, &fill, context));
  OK(cuMemFree(buffer));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  Close(executable, other, graph, small, stream);
}
