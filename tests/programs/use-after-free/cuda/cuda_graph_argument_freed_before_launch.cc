// Defect: A captured launch keeps the address of its output, which is freed before the graph runs.
// Fix: The output is freed when the graph has run.
// EXPECT error use-after-free cuGraphLaunch at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT-PARTY recorded at RECORDED
// EXPECT-FACT argument=2
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUstream stream = NewStream();
  CUdeviceptr out;
  // @CREATED
  OK(cuMemAlloc(&out, 1 << 20));
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096);
  CUgraph graph;
  CUgraphExec executable;
  int n = 1;
  void* arguments[] = {&a, &b, &out, &n};
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  // @RECORDED
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
#ifdef DEFECT
  // @RELEASED
  OK(cuMemFree(out));
#endif
  // @HERE
  OK(cuGraphLaunch(executable, stream));
#ifdef DEFECT
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuStreamSynchronize(stream));
#ifndef DEFECT
  OK(cuMemFree(out));
#endif
  Close(executable, graph, b, a, stream);
}
