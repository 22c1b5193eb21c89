// Threads use the names whose default stream is the thread's own, and the legacy stream takes the
// results while work is pending in theirs.
#define CUDA_API_PER_THREAD_DEFAULT_STREAM
#include <atomic>
#include <thread>

#include "common/cuda.h"

static std::atomic<int> enqueued{0};
static std::atomic<bool> taken{false};

static void Work(CUfunction twice, CUdeviceptr memory, const char* data) {
  OK(cuCtxSetCurrent(context));
  void* arguments[] = {&memory};
  OK(cuMemcpyHtoDAsync(memory, data, 4096, nullptr));
  for (int i = 0; i < 3; ++i)
    OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  ++enqueued;
  while (!taken) std::this_thread::yield();
}

int main() {
  Open();
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUdeviceptr memory[4];
  float *data = (float*)NewPinned(4096), *result = (float*)NewPinned(4 * 4096);
  for (int i = 0; i < 1024; ++i) data[i] = 1;
  for (CUdeviceptr& of_thread : memory) of_thread = NewMemory(4096);
  for (int round = 0; round < 2; ++round) {
    std::thread threads[4];
    for (int i = 0; i < 4; ++i) threads[i] = std::thread(Work, twice, memory[i], (char*)data);
    while (enqueued != 4) std::this_thread::yield();
    for (int i = 0; i < 4; ++i)
      OK(cuMemcpyDtoHAsync(result + i * 1024, memory[i], 4096, CU_STREAM_LEGACY));
    OK(cuStreamSynchronize(CU_STREAM_LEGACY));
    taken = true;
    for (std::thread& thread : threads) thread.join();
    enqueued = 0;
    taken = false;
    for (int i = 0; i < 4; ++i) CHECK(result[i * 1024 + 1023] == 8);
  }
  for (CUdeviceptr of_thread : memory) OK(cuMemFree(of_thread));
  Close(result, data);
}
