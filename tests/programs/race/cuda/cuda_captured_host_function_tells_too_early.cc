// Defect: A captured host function signals to the program that a download is complete, but it waits
// only for the work before the download. Another stream writes memory that the download still
// reads.
// Fix: The host function is after the download. The other stream writes the memory while the rest
// of the graph may still be pending.
// EXPECT error race cuMemsetD8Async at HERE
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-FACT hazard=WAR
#include <semaphore.h>

#include "common/cuda.h"

static sem_t told;

static void CUDA_CB Tell(void*) { sem_post(&told); }

int main() {
  Open();
  sem_init(&told, 0, 0);
  CUstream first = NewStream(), second = NewStream(), third = NewStream();
  CUevent fork = NewEvent(), join = NewEvent();
  char* result = NewPinned(4096);
  CUdeviceptr buffer = NewZeros(4096);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_RELAXED));
#ifdef DEFECT
  OK(cuEventRecord(fork, first));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, first));
#else
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, first));
  OK(cuEventRecord(fork, first));
#endif
  OK(cuStreamWaitEvent(second, fork, 0));
  OK(cuLaunchHostFunc(second, Tell, nullptr));
  OK(cuEventRecord(join, second));
  OK(cuStreamWaitEvent(first, join, 0));
  OK(cuStreamEndCapture(first, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @LAUNCH
  OK(cuGraphLaunch(executable, first));
  while (sem_wait(&told) != 0) continue;
  // @HERE
  OK(cuMemsetD8Async(buffer, 7, 4096, third));
  OK(cuStreamSynchronize(third));
  OK(cuStreamSynchronize(first));
  Close(executable, graph, buffer, result, join, fork, third, second, first);
}
