// Memory is freed behind the capture of a stream.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUstream stream = NewStream();
  CUdeviceptr memory = NewZeros(4096);
  float result[1024];
  CUgraph graph;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphDestroy(graph));
  void* arguments[] = {&memory};
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  OK(cuStreamSynchronize(stream));
  OK(cuMemcpyDtoH(result, memory, 4096));
  CHECK(result[1023] == 0);
  OK(cuMemFree(memory));
  OK(cuStreamDestroy(stream));
  Close();
}
