// Defect: An executable graph is updated from another one, and what that one writes is freed before
// the next launch.
// Fix: Only what the graph wrote before the update is freed.
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
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096), old = NewMemory(4096);
  CUgraph graph, other;
  CUgraphExec executable;
  int n = 1;
  void *arguments[] = {&a, &b, &old, &n}, *others[] = {&a, &b, &out, &n};
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  // @RECORDED
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, stream, others, nullptr));
  OK(cuStreamEndCapture(stream, &other));
  CUgraphExecUpdateResultInfo updated;
  OK(cuGraphExecUpdate(executable, other, &updated));
  OK(cuMemFree(old));
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
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(other));
  OK(cuGraphDestroy(graph));
#ifndef DEFECT
  OK(cuMemFree(out));
#endif
  Close(b, a, stream);
}
