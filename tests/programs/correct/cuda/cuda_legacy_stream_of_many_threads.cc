// Each of many threads has memory and blocking streams of its own, and all use the legacy stream:
// that alone orders what each of them does.
#include <thread>
#include <vector>

#include "common/cuda.h"

static void Work() {
  OK(cuCtxSetCurrent(context));
  CUstream stream = NewStream(CU_STREAM_DEFAULT), other = NewStream(CU_STREAM_DEFAULT);
  CUdeviceptr memory = NewMemory(4096);
  char* pinned = NewPinned(8192);
  for (int i = 0; i < 50; ++i) {
    OK(cuMemsetD8Async(memory, (unsigned char)i, 4096, stream));
    OK(cuMemcpyDtoHAsync(pinned, memory, 4096, nullptr));       // behind the stream
    OK(cuMemcpyHtoDAsync(memory, pinned + 4096, 4096, other));  // behind the legacy one
    if (i % 4 == 0) {
      OK(cuStreamSynchronize(nullptr));
      CHECK(pinned[0] == (char)i);
    }
    if (i % 7 == 0) OK(cuCtxSynchronize());
    OK(cuMemsetD8Async(memory, 1, 1, CU_STREAM_LEGACY));
    OK(cuMemsetD8Async(memory, 2, 2, CU_STREAM_PER_THREAD));
    OK(cuMemsetD8Async(memory, 3, 3, nullptr));
  }
  OK(cuCtxSynchronize());
  OK(cuMemFreeHost(pinned));
  OK(cuMemFree(memory));
  OK(cuStreamDestroy(other));
  OK(cuStreamDestroy(stream));
}

int main() {
  Open();
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) threads.emplace_back(Work);
  for (std::thread& thread : threads) thread.join();
  Close();
}
