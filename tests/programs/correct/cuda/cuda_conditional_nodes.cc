// A graph whose parts run or not by values: what the taken branches write is there, what the others
// would have done is not.
#include "common/cuda_graphs.h"

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

int main() {
  Open();
  CUstream stream = NewStream();
  char* result = NewPinned(4096);
  CUdeviceptr taken = NewMemory(4096), not_taken = NewMemory(4096);
  CUgraph graph;
  CUgraphConditionalHandle trial;
  OK(cuGraphCreate(&graph, 0));
  const CUresult can = cuGraphConditionalHandleCreate(&trial, graph, context, 0, 0);
  OK(cuGraphDestroy(graph));
  NEEDS(can == CUDA_SUCCESS);
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
  Close(executable, graph, not_taken, taken, result, stream);
}
