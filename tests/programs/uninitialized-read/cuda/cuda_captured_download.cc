// Defect: A captured download reads memory that nothing has written; it is launched.
// Fix: A captured download reads memory that was filled before the launch.
// EXPECT warning uninitialized-read cuGraphLaunch at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  char* result = NewPinned(4096);
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
#ifndef DEFECT
  OK(cuMemsetD8Async(buffer, 0, 4096, stream));
#endif
  // @HERE
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  Close(executable, graph, buffer, result, stream);
}
