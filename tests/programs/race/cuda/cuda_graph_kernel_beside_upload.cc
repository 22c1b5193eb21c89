// Defect: A graph doubles a buffer on one stream while another stream uploads it.
// Fix: A graph doubles a buffer when another stream has uploaded it.
// EXPECT error race cuGraphLaunch at HERE
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-FACT hazard=RAW
#include "common/cuda.h"

int main() {
  Open();
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUstream first = NewStream(), second = NewStream();
  CUevent uploaded = NewEvent();
  char* data = NewPinned(4096);
  CUdeviceptr buffer = NewZeros(4096);
  CUgraph graph;
  CUgraphExec executable;
  void* arguments[] = {&buffer};
  OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuStreamEndCapture(first, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, second));
  OK(cuEventRecord(uploaded, second));
#ifndef DEFECT
  OK(cuStreamWaitEvent(first, uploaded, 0));
#endif
  // @HERE
  OK(cuGraphLaunch(executable, first));
  OK(cuCtxSynchronize());
  Close(executable, graph, buffer, data, uploaded, second, first);
}
