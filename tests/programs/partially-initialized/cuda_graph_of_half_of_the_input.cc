// Defect: Half of a buffer is uploaded, and a kernel in a graph reads all of it.
// Fix: A whole buffer is uploaded before a kernel in a graph reads all of it.
// EXPECT warning partially-initialized cuGraphLaunch at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY recorded at RECORDED
// EXPECT-FACT argument=0
// EXPECT-FACT written_bytes=2048
#include "common/cuda.h"

int main() {
  Open();
  CUfunction copy = Kernel(KERNEL_COPY);
  CUstream stream = NewStream();
  static float data[1024];
  CUdeviceptr in, out;
  // @CREATED
  OK(cuMemAlloc(&in, sizeof(data)));
  OK(cuMemAlloc(&out, sizeof(data)));
  CUgraph graph;
  CUgraphExec executable;
  void* arguments[] = {&in, &out};
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  // @RECORDED
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
#ifdef DEFECT
  const size_t bytes = sizeof(data) / 2;
#else
  const size_t bytes = sizeof(data);
#endif
  OK(cuMemcpyHtoD(in, data, bytes));
  OK(cuCtxSynchronize());
  // @HERE
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  Close(executable, graph, out, in, stream);
}
