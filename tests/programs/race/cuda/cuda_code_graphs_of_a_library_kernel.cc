// Defect: Two graphs, each with a kernel of a library that writes the same buffer, are launched on two streams.
// Fix: They are launched on one stream.
// EXPECT error race cuGraphLaunch at HERE
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=WAW
#include "common/cuda_machine_code.h"

// A graph of one launch, as the runtime's launches are captured: by the kernel, not by its function in a context.
static CUgraphExec Capture(CUkernel kernel, CUdeviceptr out, int value) {
  CUstream stream = NewStream();
  void* arguments[] = {&out, &value};
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuLaunchKernel((CUfunction)kernel, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  CUgraph graph;
  OK(cuStreamEndCapture(stream, &graph));
  CUgraphExec executable;
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphDestroy(graph));
  OK(cuStreamDestroy(stream));
  return executable;
}

int main() {
  Open();
  CUlibrary library;
  OK(cuLibraryLoadData(&library, kCode, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CUkernel fill;
  OK(cuLibraryGetKernel(&fill, library, CODE_FILL));
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr buffer = NewMemory(4096);
  CUgraphExec one = Capture(fill, buffer, 1), two = Capture(fill, buffer, 2);
#ifdef DEFECT
  CUstream other = second;
#else
  CUstream other = first;
#endif
  // @FIRST
  OK(cuGraphLaunch(one, first));
  // @HERE
  OK(cuGraphLaunch(two, other));
  OK(cuCtxSynchronize());
  OK(cuGraphExecDestroy(two));
  OK(cuGraphExecDestroy(one));
  OK(cuMemFree(buffer));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  OK(cuLibraryUnload(library));
  Close();
}
