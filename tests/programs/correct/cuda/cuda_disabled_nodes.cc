// Nodes of an executable graph are switched off and on: what is off races with nothing, and reads
// and writes nothing.
#include "common/cuda_graphs.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr buffer = NewMemory(4096);
  CUgraph graph;
  CUgraphExec exec;
  OK(cuGraphCreate(&graph, 0));
  // No edge: one at a time.
  CUgraphNode first = AddFill(graph, nullptr, buffer, 1),
              second = AddFill(graph, nullptr, buffer, 2);
  OK(cuGraphInstantiate(&exec, graph, 0));
  char* result = NewPinned(4096);
  for (int round = 0; round < 4; ++round) {
    OK(cuGraphNodeSetEnabled(exec, first, round % 2 == 0));
    OK(cuGraphNodeSetEnabled(exec, second, round % 2 != 0));
    OK(cuGraphLaunch(exec, stream));
    OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(result[0] == 1 + round % 2);
  }
  // Both off: the memory may go.
  OK(cuGraphNodeSetEnabled(exec, second, 0));
  OK(cuMemFree(buffer));
  OK(cuGraphLaunch(exec, stream));
  OK(cuStreamSynchronize(stream));
  Close(result, exec, graph, stream);
}
