// A context goes from thread to thread, as a pool of workers hands it on; what one enqueued the
// next one waits for. The streams and events of another context of the device take part.
#include <thread>

#include "common/cuda.h"

int main() {
  Open();
  CUcontext floating;
  OK(cuCtxCreate(&floating, nullptr, 0, device));
  CUstream theirs = NewStream();
  CUevent filled = NewEvent();
  CUdeviceptr buffer = NewMemory(4096);
  OK(cuCtxPopCurrent(&floating));
  OK(cuCtxSetCurrent(context));
  CUstream ours = NewStream();
  CUevent taken = NewEvent();
  char* result = NewPinned(4096);
  for (int round = 1; round <= 3; ++round) {
    std::thread([&] {
      OK(cuCtxPushCurrent(floating));
      OK(cuStreamWaitEvent(theirs, taken, 0));
      OK(cuMemsetD8Async(buffer, (unsigned char)round, 4096, theirs));
      OK(cuEventRecord(filled, theirs));
      CUcontext popped;
      OK(cuCtxPopCurrent(&popped));
      CHECK(popped == floating);
    }).join();
    OK(cuStreamWaitEvent(ours, filled, 0));
    OK(cuMemcpyDtoHAsync(result, buffer, 4096, ours));
    OK(cuEventRecord(taken, ours));
    if (round % 2 != 0) {
      OK(cuEventSynchronize(taken));
      CHECK(result[0] == round);
    }
  }
  OK(cuStreamSynchronize(ours));
  std::thread([&] {
    OK(cuCtxPushCurrent(floating));
    OK(cuCtxSynchronize());
    OK(cuMemFree(buffer));
    OK(cuStreamDestroy(theirs));
    OK(cuEventDestroy(filled));
    OK(cuCtxDestroy(floating));
  }).join();
  Close(result, taken, ours);
}
