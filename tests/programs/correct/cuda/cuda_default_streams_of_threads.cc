// Threads use their own default streams, and other streams take the results.
#define CUDA_API_PER_THREAD_DEFAULT_STREAM
#include <atomic>
#include <thread>

#include "common/cuda.h"

// Threads use the names whose default stream is the thread's own, and the legacy stream takes the
// results while work is pending in theirs.
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

static void NamesOfTheThread() {
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
  Release(result, data);
}

// Threads leave work in their own default streams and end; others come after them. Events, the
// context and the legacy stream stand for what they left.
static void DeadThreads() {
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
  Release(result, buffer, stream);
}

int main() {
  Open();
  NamesOfTheThread();
  DeadThreads();
  Close();
}
