// Defect: Memory that a captured graph allocates is never freed.
// Fix: The memory is freed after the last launch.
// EXPECT error leak cuMemAllocAsync at CREATED
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUgraph graph;
  CUgraphExec executable;
  CUdeviceptr memory;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  // @CREATED
  OK(cuMemAllocAsync(&memory, 4096, stream));
  OK(cuMemsetD8Async(memory, 3, 4096, stream));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
  for (int round = 0; round < 3; ++round) OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
#ifndef DEFECT
  OK(cuMemFree(memory));
#endif
  Close(executable, graph, stream);
}
