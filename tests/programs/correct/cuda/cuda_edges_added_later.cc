// What orders the nodes of a graph comes later than they do: edges are added and taken away again,
// and a stream that is captured is told what its next command depends on.
#include "common/cuda_graphs.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr buffer = NewMemory(4096), other = NewMemory(4096);
  char* result = NewPinned(4096);
  CUgraph graph;
  CUgraphExec exec;
  OK(cuGraphCreate(&graph, 0));
  CUgraphNode a = AddFill(graph, nullptr, buffer, 1), b = AddFill(graph, nullptr, buffer, 2),
              c = AddFill(graph, nullptr, buffer, 3);
  // c, a, b
  CUgraphNode from[] = {a, c}, to[] = {b, a};
  OK(cuGraphAddDependencies(graph, from, to, nullptr, 2));
  OK(cuGraphInstantiate(&exec, graph, 0));
  OK(cuGraphLaunch(exec, stream));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 2);
  OK(cuGraphExecDestroy(exec));
  // c, b, a
  OK(cuGraphRemoveDependencies(graph, from, to, nullptr, 2));
  CUgraphNode before[] = {c, b}, behind[] = {b, a};
  OK(cuGraphAddDependencies(graph, before, behind, nullptr, 2));
  OK(cuGraphInstantiate(&exec, graph, 0));
  OK(cuGraphLaunch(exec, stream));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 1);
  OK(cuGraphExecDestroy(exec));
  OK(cuGraphDestroy(graph));
  // The third command depends on the first, and on the second no more.
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuMemsetD8Async(buffer, 4, 4096, stream));
  CUstreamCaptureStatus status;
  cuuint64_t id;
  const CUgraphNode* nodes;
  const CUgraphEdgeData* edges;
  size_t count;
  OK(cuStreamGetCaptureInfo(stream, &status, &id, nullptr, &nodes, &edges, &count));
  CHECK(count == 1);
  CUgraphNode first = nodes[0];
  OK(cuMemsetD8Async(other, 5, 4096, stream));
  OK(cuStreamUpdateCaptureDependencies(stream, &first, nullptr, 1,
                                       CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  OK(cuMemsetD8Async(buffer, 6, 2048, stream));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&exec, graph, 0));
  for (int round = 0; round < 2; ++round) {
    OK(cuGraphLaunch(exec, stream));
    OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(result[0] == 6 && result[4095] == 4);
  }
  Close(exec, graph, result, other, buffer, stream);
}
