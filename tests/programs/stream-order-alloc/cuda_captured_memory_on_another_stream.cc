// Defect: A captured graph allocates memory, and another stream reads it without waiting for the
// launch.
// Fix: The other stream waits for the launch.
// EXPECT error stream-order-alloc cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-TEXT is not ordered after cuGraphLaunch, which allocates it
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream(), other = NewStream();
  CUevent made = NewEvent();
  char* result = NewPinned(4096);
  CUgraph graph;
  CUgraphExec executable;
  CUdeviceptr memory;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuMemAllocAsync(&memory, 4096, stream));
  OK(cuMemsetD8Async(memory, 3, 4096, stream));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
#ifndef DEFECT
  OK(cuEventRecord(made, stream));
  OK(cuStreamWaitEvent(other, made, 0));
#endif
  // @HERE
  cuMemcpyDtoHAsync(result, memory, 4096, other);
#ifdef DEFECT
  _Exit(0);  // the memory may not exist yet
#endif
  OK(cuStreamSynchronize(other));
  CHECK(result[4095] == 3);
  for (int round = 0; round < 2; ++round) {
    OK(cuMemFreeAsync(memory, other));
    OK(cuEventRecord(made, other));
    OK(cuStreamWaitEvent(stream, made, 0));
    OK(cuGraphLaunch(executable, stream));
    OK(cuEventRecord(made, stream));
    OK(cuStreamWaitEvent(other, made, 0));
  }
  OK(cuMemFreeAsync(memory, other));
  OK(cuStreamSynchronize(other));
  Close(executable, graph, result, made, other, stream);
}
