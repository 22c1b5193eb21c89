// Threads leave work in their own default streams and end; others come after them. Events, the
// context and the legacy stream stand for what they left.
#define CUDA_API_PER_THREAD_DEFAULT_STREAM
#include <thread>

#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr buffer = NewMemory(4096);
  char* result = NewPinned(4096);
  for (int round = 0; round < 4; ++round) {
    CUevent done = NewEvent();
    std::thread([&] {
      OK(cuCtxSetCurrent(context));
      OK(cuMemsetD8Async(buffer, (unsigned char)round, 4096, CU_STREAM_PER_THREAD));
      OK(cuEventRecord(done, CU_STREAM_PER_THREAD));
    }).join();
    switch (round) {
      case 0:
        OK(cuStreamWaitEvent(stream, done, 0));
        break;
      case 1:
        OK(cuEventSynchronize(done));
        break;
      case 2:
        OK(cuCtxSynchronize());
        break;
      default:
        OK(cuStreamSynchronize(CU_STREAM_LEGACY));
        break;
    }
    OK(cuEventDestroy(done));
    OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(result[4095] == round);
  }
  Close(result, buffer, stream);
}
