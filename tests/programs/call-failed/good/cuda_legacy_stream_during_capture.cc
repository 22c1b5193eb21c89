// Work in the legacy stream while a stream is being captured that it has nothing to do with.
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
  CUdeviceptr buffer = NewMemory(4096), other = NewMemory(4096);
  CUgraph graph = nullptr;
  // @BEGIN
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuMemsetD8Async(buffer, 1, 4096, stream));
  // @HERE
  OK(cuMemsetD8Async(other, 2, 4096, nullptr));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphDestroy(graph));
  OK(cuMemFree(other));
  OK(cuMemFree(buffer));
  OK(cuStreamDestroy(stream));
  Close();
}
