// Threads with streams of their own work side by side and hand over to the main thread.
#include <thread>

#include "common/cuda.h"

static void Work(int number, char* result) {
  OK(cuCtxSetCurrent(context));
  CUstream stream = NewStream();
  char* data = NewPinned(4096);
  memset(data, number, 4096);
  for (int round = 0; round < 20; ++round) {
    CUdeviceptr buffer = NewMemory(4096);
    OK(cuMemcpyHtoDAsync(buffer, data, 4096, stream));
    OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(result[4095] == number);
    OK(cuMemFree(buffer));
  }
  OK(cuMemFreeHost(data));
  OK(cuStreamDestroy(stream));
}

int main() {
  Open();
  char* results = NewPinned(4 * 4096);
  std::thread threads[4];
  for (int i = 0; i < 4; ++i) threads[i] = std::thread(Work, i, results + i * 4096);
  for (std::thread& thread : threads) thread.join();
  CHECK(results[3 * 4096] == 3);
  Close(results);
}
