// A graph is launched while the memory that its copy writes is live.
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, 1 << 20));
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuMemsetD8Async(buffer, 0, 4096, stream));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  cuStreamSynchronize(stream);
  OK(cuMemFree(buffer));
  cuGraphExecDestroy(executable);
  cuGraphDestroy(graph);
  cuStreamDestroy(stream);
}
