// A stream-ordered allocation and its free are captured; the memory lives within each launch.
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  char* result = NewPinned(4096);
  CUgraph graph;
  CUgraphExec executable;
  CUdeviceptr buffer;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuMemAllocAsync(&buffer, 4096, stream));
  OK(cuMemsetD8Async(buffer, 9, 4096, stream));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
  OK(cuMemFreeAsync(buffer, stream));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  for (int round = 0; round < 3; ++round) OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 9);
  Close(executable, graph, result, stream);
}
