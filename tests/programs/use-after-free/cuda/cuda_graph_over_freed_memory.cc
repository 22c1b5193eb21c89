// Defect: A graph is launched when the memory that its copy writes has been freed. (The memory of
// the device is large, so that nothing else lies there.)
// Fix: A graph is launched while the memory that its copy writes is live.
// EXPECT error use-after-free cuGraphLaunch at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// MAY sticky-error call-failed
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 1 << 20));
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuMemsetD8Async(buffer, 0, 4096, stream));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
#ifdef DEFECT
  // @RELEASED
  OK(cuMemFree(buffer));
#endif
  // @HERE
  OK(cuGraphLaunch(executable, stream));
  cuStreamSynchronize(stream);
#ifndef DEFECT
  OK(cuMemFree(buffer));
#endif
  cuGraphExecDestroy(executable);
  cuGraphDestroy(graph);
  cuStreamDestroy(stream);
}
