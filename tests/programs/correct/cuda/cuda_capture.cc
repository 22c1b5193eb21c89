// While a stream is captured its calls do nothing: an upload is recorded, the host changes the
// data, and each launch takes
// what stands there then.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUstream stream = NewStream();
  float *data = (float*)NewPinned(4096), *result = (float*)NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, stream));
  void* arguments[] = {&buffer};
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  for (int round = 1; round < 4; ++round) {
    for (int i = 0; i < 1024; ++i) data[i] = round;
    OK(cuGraphLaunch(executable, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(result[1023] == 2 * round);
  }
  Close(executable, graph, buffer, result, data, stream);
}
