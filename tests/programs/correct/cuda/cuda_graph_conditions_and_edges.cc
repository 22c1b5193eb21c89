// Graphs have conditions, and edges that are added later.
#include "common/cuda_graphs.h"

// A graph whose parts run or not by values: what the taken branches write is there, what the others
// would have done is not.
static CUgraph Body(CUgraph graph, const CUgraphNode* behind, CUgraphNode* node, unsigned value,
                    CUgraphConditionalNodeType type, unsigned size, CUgraph* others) {
  CUgraphConditionalHandle handle;
  OK(cuGraphConditionalHandleCreate(&handle, graph, context, value, CU_GRAPH_COND_ASSIGN_DEFAULT));
  CUgraphNodeParams params = {};
  params.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = size;
  params.conditional.ctx = context;
  OK(cuGraphAddNode(node, graph, behind, nullptr, behind != nullptr, &params));
  if (others != nullptr) *others = params.conditional.phGraph_out[size - 1];
  return params.conditional.phGraph_out[0];
}

static void AddFill(CUgraph graph, CUdeviceptr to, unsigned value) {
  CUDA_MEMSET_NODE_PARAMS fill = FillNode(to, value, 4096);
  CUgraphNode node;
  OK(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context));
}

static void ConditionalNodes() {
  CUgraph graph;
  CUgraphConditionalHandle trial;
  OK(cuGraphCreate(&graph, 0));
  const CUresult can = cuGraphConditionalHandleCreate(&trial, graph, context, 0, 0);
  OK(cuGraphDestroy(graph));
  if (can != CUDA_SUCCESS) return;
  CUstream stream = NewStream();
  char* result = NewPinned(4096);
  CUdeviceptr taken = NewMemory(4096), not_taken = NewMemory(4096);
  // The bodies below may get the handles of destroyed objects.
  CUgraphExec destroyed[8];
  for (CUgraphExec& one : destroyed) {
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphInstantiate(&one, graph, 0));
    OK(cuGraphDestroy(graph));
  }
  for (CUgraphExec one : destroyed) OK(cuGraphExecDestroy(one));
  OK(cuGraphCreate(&graph, 0));
  CUgraphNode first, second, third;
  AddFill(Body(graph, nullptr, &first, 1, CU_GRAPH_COND_TYPE_IF, 1, nullptr), taken, 1);
  AddFill(Body(graph, &first, &second, 0, CU_GRAPH_COND_TYPE_WHILE, 1, nullptr), not_taken, 2);
  CUgraph last;
  CUgraph zeroth = Body(graph, &second, &third, 1, CU_GRAPH_COND_TYPE_SWITCH, 2, &last);
  AddFill(zeroth, not_taken, 3);
  // A capture fills the body that is taken.
  CUgraph same;
  OK(cuStreamBeginCaptureToGraph(stream, last, nullptr, nullptr, 0,
                                 CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuMemsetD8Async(taken, 4, 2048, stream));
  OK(cuStreamEndCapture(stream, &same));
  CUgraphExec executable;
  OK(cuGraphInstantiate(&executable, graph, 0));
  for (int round = 0; round < 2; ++round) {
    OK(cuGraphLaunch(executable, stream));
    OK(cuMemcpyDtoHAsync(result, taken, 4096, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(result[0] == 4 && result[4095] == 1);
  }
  Release(executable, graph, not_taken, taken, result, stream);
}

// What orders the nodes of a graph comes later than they do: edges are added and taken away again,
// and a stream that is captured is told what its next command depends on.
static void EdgesAddedLater() {
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
  Release(exec, graph, result, other, buffer, stream);
}

int main() {
  Open();
  ConditionalNodes();
  EdgesAddedLater();
  Close();
}
