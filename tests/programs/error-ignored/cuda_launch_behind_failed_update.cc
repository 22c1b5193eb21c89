// Defect: A simulation records each step into a graph and updates the executable graph from it. A
// step with another stage cannot be an update; the program launches the old step again.
// Fix: When the update fails, the program instantiates the new step.
// EXPECT warning error-ignored cuGraphLaunch at HERE
// EXPECT-PARTY failed-call at FAILED
// EXPECT-FACT update_result=CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED
#include "common/cuda_graphs.h"

static CUstream stream;
static CUgraphExec step;

static CUgraph Record(CUdeviceptr field, unsigned stages) {
  CUgraph graph;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  for (unsigned i = 0; i < stages; ++i) OK(cuMemsetD8Async(field, i + 1, 4096, stream));
  OK(cuStreamEndCapture(stream, &graph));
  return graph;
}

static void Launch(CUgraph graph) {
  CUgraphExecUpdateResultInfo info;
  // @FAILED
  CUresult updated = cuGraphExecUpdate(step, graph, &info);
#ifdef DEFECT
  (void)updated;
#else
  if (updated != CUDA_SUCCESS) {
    OK(cuGraphExecDestroy(step));
    OK(cuGraphInstantiate(&step, graph, 0));
  }
#endif
  OK(cuGraphDestroy(graph));
  // @HERE
  OK(cuGraphLaunch(step, stream));
  OK(cuStreamSynchronize(stream));
}

int main() {
  Open();
  stream = NewStream();
  CUdeviceptr field = NewZeros(4096);
  CUgraph first = Record(field, 1);
  OK(cuGraphInstantiate(&step, first, 0));
  OK(cuGraphDestroy(first));
  Launch(Record(field, 1));
  Launch(Record(field, 2));
  Close(step, field, stream);
}
