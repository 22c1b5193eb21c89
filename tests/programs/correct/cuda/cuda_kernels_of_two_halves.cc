// Two kernels work on the two halves of one allocation at the same time: on two streams, and in two
// branches of a graph.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction twice = Kernel(KERNEL_TWICE), copy = Kernel(KERNEL_COPY);
  CUstream first = NewStream(), second = NewStream();
  CUevent begun = NewEvent(), done = NewEvent();
  CUdeviceptr data = NewZeros(8192), half = data + 4096, out = NewMemory(4096);
  void *left[] = {&data}, *right[] = {&half, &out};
  for (int round = 0; round < 2; ++round) {
    const bool captured = round == 1;
    if (captured) OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuEventRecord(begun, first));
    OK(cuStreamWaitEvent(second, begun, 0));
    OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, first, left, nullptr));
    OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, second, right, nullptr));
    OK(cuEventRecord(done, second));
    OK(cuStreamWaitEvent(first, done, 0));
    if (!captured) {
      OK(cuStreamSynchronize(first));
      continue;
    }
    CUgraph graph;
    CUgraphExec executable;
    OK(cuStreamEndCapture(first, &graph));
    OK(cuGraphInstantiate(&executable, graph, 0));
    OK(cuGraphLaunch(executable, first));
    OK(cuStreamSynchronize(first));
    OK(cuGraphExecDestroy(executable));
    OK(cuGraphDestroy(graph));
  }
  Close(out, data, done, begun, second, first);
}
