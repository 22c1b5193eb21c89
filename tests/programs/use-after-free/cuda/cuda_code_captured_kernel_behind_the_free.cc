// Defect: A kernel is captured behind the free of memory that it writes.
// Fix: The free is captured behind the kernel.
// EXPECT error use-after-free cuGraphLaunch at LAUNCH
// EXPECT-PARTY recorded at KERNEL
// EXPECT-PARTY release at FREE
// EXPECT-TEXT writes 4 KiB of memory .* after the node that frees it
// MAY sticky-error
// EXIT any
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUfunction kernel = CodeKernel(CODE_FILL);
  CUgraph graph;
  CUgraphExec executable;
  CUdeviceptr memory;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuMemAllocAsync(&memory, 4096, stream));
#ifdef DEFECT
  // @FREE
  OK(cuMemFreeAsync(memory, stream));
#endif
  int value = 3;
  void* arguments[] = {&memory, &value};
  // @KERNEL
  OK(cuLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
#ifndef DEFECT
  OK(cuMemFreeAsync(memory, stream));
#endif
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @LAUNCH
  OK(cuGraphLaunch(executable, stream));
#ifdef DEFECT
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  Close(executable, graph, stream);
}
