// Threads take turns to launch into one stream, none of them waits for it; the last one frees what all
// have used when an event behind it all is complete.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "common/cuda.h"

int main() {
  Open();
  CUfunction fill = Kernel(KERNEL_FILL), copy = Kernel(KERNEL_COPY);
  CUstream stream = NewStream();
  CUdeviceptr data = NewZeros(4096), result = NewZeros(4096);
  std::mutex mutex;
  std::condition_variable changed;
  int turn = 0;
  constexpr int kThreads = 3, kTurns = 60;
  const auto work = [&](int thread) {
    OK(cuCtxSetCurrent(context));
    for (;;) {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return turn >= kTurns || turn % kThreads == thread; });
      if (turn >= kTurns) return;
      int n = 1024;
      void* filled[] = {&data, &n};
      void* copied[] = {&data, &result};
      if (turn % 2 == 0) {
        OK(cuLaunchKernel(fill, 4, 1, 1, 256, 1, 1, 0, stream, filled, nullptr));
      } else {
        OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, stream, copied, nullptr));
      }
      ++turn;
      changed.notify_all();
    }
  };
  std::thread threads[kThreads];
  for (int i = 0; i < kThreads; ++i) threads[i] = std::thread(work, i);
  for (std::thread& thread : threads) thread.join();
  std::thread([&] {
    OK(cuCtxSetCurrent(context));
    CUevent event = NewEvent();
    OK(cuEventRecord(event, stream));
    OK(cuEventSynchronize(event));
    OK(cuMemFree(data));
    OK(cuEventDestroy(event));
  }).join();
  Close(result, stream);
}
