// Two branches of a graph work on the halves of one buffer by one pointer and an offset.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction twice_from = CodeKernel(CODE_TWICE_FROM);
  CUdeviceptr data = NewZeros(2048);
  int begins[] = {0, 256};
  void *low[] = {&data, &begins[0]}, *high[] = {&data, &begins[1]};
  CUevent begun = NewEvent(), done = NewEvent();
  OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuEventRecord(begun, first));
  OK(cuStreamWaitEvent(second, begun, 0));
  OK(cuLaunchKernel(twice_from, 1, 1, 1, 256, 1, 1, 0, first, low, nullptr));
  OK(cuLaunchKernel(twice_from, 1, 1, 1, 256, 1, 1, 0, second, high, nullptr));
  OK(cuEventRecord(done, second));
  OK(cuStreamWaitEvent(first, done, 0));
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamEndCapture(first, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, first));
  OK(cuGraphLaunch(executable, first));
  OK(cuStreamSynchronize(first));
  Close(executable, graph, done, begun, data, second, first);
}
