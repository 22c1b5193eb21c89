// Defect: A captured launch keeps the tensor map of memory that is freed before the graph runs.
// Fix: The memory is freed when the graph has run.
// EXPECT warning use-after-free cuGraphLaunch at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT-PARTY recorded at RECORDED
// EXPECT-FACT argument=0
// EXIT any
#include "common/tensor_maps.h"

int main() {
  Open();
  CUfunction tiles = TensorKernel("tiles");
  CUstream stream = NewStream();
  CUdeviceptr memory;
  // @CREATED
  OK(cuMemAlloc(&memory, 4096));
  OK(cuMemsetD8(memory, 0, 4096));
  OK(cuCtxSynchronize());
  CUtensorMap map = TensorMapOf(memory, 1024);
  unsigned count = 1;
  void* arguments[] = {&map, &count};
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  // @RECORDED
  OK(cuLaunchKernel(tiles, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
#ifdef DEFECT
  // @RELEASED
  OK(cuMemFree(memory));
#endif
  // @HERE
  OK(cuGraphLaunch(executable, stream));
#ifdef DEFECT
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  OK(cuStreamDestroy(stream));
  OK(cuMemFree(memory));
  Close();
}
