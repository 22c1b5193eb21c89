// A graph of two branches, each with a host function at its end, and of what is behind both; it is
// launched twice, with a download in between.
#include "common/cuda.h"

static void CUDA_CB Nothing(void*) {}

int main() {
  Open();
  CUstream stream = NewStream(), other = NewStream();
  CUevent fork = NewEvent(), join = NewEvent();
  char* result = NewPinned(4096);
  CUdeviceptr first = NewZeros(4096), second = NewZeros(4096);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuMemsetD8Async(first, 1, 4096, stream));
  OK(cuEventRecord(fork, stream));
  OK(cuStreamWaitEvent(other, fork, 0));
  OK(cuMemsetD8Async(second, 2, 4096, other));
  OK(cuLaunchHostFunc(other, Nothing, nullptr));
  OK(cuEventRecord(join, other));
  OK(cuMemcpyDtoHAsync(result, first, 4096, stream));
  OK(cuLaunchHostFunc(stream, Nothing, nullptr));
  OK(cuStreamWaitEvent(stream, join, 0));
  OK(cuMemsetD8Async(first, 3, 4096, stream));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuMemcpyDtoHAsync(result, second, 4096, stream));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[4095] == 1);
  Close(executable, graph, second, first, result, join, fork, other, stream);
}
