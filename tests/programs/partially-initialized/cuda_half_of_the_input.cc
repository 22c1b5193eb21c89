// Defect: Half of a buffer is uploaded, and a kernel reads all of it.
// Fix: All of the buffer is uploaded.
#include "common/cuda.h"

// Defect: Half of a buffer is uploaded, and a kernel reads all of it.
// Fix: All of a buffer is uploaded, and a kernel reads it.
// EXPECT warning partially-initialized cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT argument=0
// EXPECT-FACT written_bytes=2048
// EXPECT-FACT resource_bytes=4096
static void OfALaunch() {
  CUfunction copy = Kernel(KERNEL_COPY);
  static float data[1024];
  CUdeviceptr in, out;
  // @CREATED
  OK(cuMemAlloc(&in, sizeof(data)));
  OK(cuMemAlloc(&out, sizeof(data)));
#ifdef DEFECT
  const size_t bytes = sizeof(data) / 2;
#else
  const size_t bytes = sizeof(data);
#endif
  OK(cuMemcpyHtoD(in, data, bytes));
  void* arguments[] = {&in, &out};
  // @HERE
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Release(out, in);
}

// Defect: Half of a buffer is uploaded, and a kernel in a graph reads all of it.
// Fix: A whole buffer is uploaded before a kernel in a graph reads all of it.
// EXPECT warning partially-initialized cuGraphLaunch at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-PARTY recorded at RECORDED
// EXPECT-FACT argument=0
// EXPECT-FACT written_bytes=2048
static void OfAGraph() {
  CUfunction copy = Kernel(KERNEL_COPY);
  CUstream stream = NewStream();
  static float data[1024];
  CUdeviceptr in, out;
  // @CREATED_2
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
  // @HERE_2
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  Release(executable, graph, out, in, stream);
}

int main() {
  Open();
  OfALaunch();
  OfAGraph();
  Close();
}
