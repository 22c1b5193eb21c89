// A failed update of an executable graph is regular: the program runs a step of another shape
// without a graph, and launches the old executable graph for the next step of the usual shape. A
// list of executable graphs is searched by updates until one succeeds.
#include "common/cuda_graphs.h"

static CUgraph Record(CUstream stream, CUdeviceptr field, unsigned stages) {
  CUgraph graph;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  for (unsigned i = 0; i < stages; ++i) OK(cuMemsetD8Async(field, i + 1, 4096, stream));
  OK(cuStreamEndCapture(stream, &graph));
  return graph;
}

static CUgraphExec Made(CUgraph graph) {
  CUgraphExec made;
  OK(cuGraphInstantiate(&made, graph, 0));
  OK(cuGraphDestroy(graph));
  return made;
}

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr field = NewZeros(4096);
  CUgraphExecUpdateResultInfo info;
  CUgraphExec usual[] = {Made(Record(stream, field, 1)), Made(Record(stream, field, 2))};
  CUgraph other = Record(stream, field, 3);
  FAILS(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(usual[0], other, &info));
  OK(cuGraphDestroy(other));
  OK(cuMemsetD8Async(field, 3, 4096, stream));
  OK(cuGraphLaunch(usual[0], stream));
  CUgraph fitting = Record(stream, field, 2);
  FAILS(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(usual[0], fitting, &info));
  OK(cuGraphExecUpdate(usual[1], fitting, &info));
  OK(cuGraphDestroy(fitting));
  OK(cuGraphLaunch(usual[0], stream));
  OK(cuGraphLaunch(usual[1], stream));
  OK(cuStreamSynchronize(stream));
  for (CUgraphExec one : usual) OK(cuGraphExecDestroy(one));
  Close(field, stream);
}
