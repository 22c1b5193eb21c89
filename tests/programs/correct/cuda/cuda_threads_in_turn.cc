// Many threads use streams and memory: of their own, or in turn.
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "common/cuda.h"

// Threads take turns to launch into one stream, none of them waits for it; the last one frees what all
// have used when an event behind it all is complete.
static void LaunchesOfThreadsInTurn() {
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
  Release(result, stream);
}

// Many threads use streams, events and memory of their own, and free memory while the others work:
// a free waits for what is pending, whoever else waits just now.
static void FreesOfManyThreads() {
  CUfunction twice = Kernel(KERNEL_TWICE);
  std::vector<std::thread> threads;
  CUcontext ctx = context;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([=] {
      OK(cuCtxSetCurrent(ctx));
      CUstream stream = NewStream(), other = NewStream();
      CUevent done = NewEvent();
      char* pinned = NewPinned(8192);
      for (int i = 0; i < 60; ++i) {
        CUdeviceptr plain = NewMemory(4096), ordered;
        OK(cuMemAllocAsync(&ordered, 4096, stream));
        OK(cuMemsetD8Async(ordered, 0, 4096, stream));
        OK(cuMemcpyDtoDAsync(plain, ordered, 4096, stream));
        void* a[] = {&plain};
        OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, stream, a, nullptr));
        void* b[] = {&ordered};
        OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, stream, b, nullptr));
        OK(cuEventRecord(done, stream));
        OK(cuStreamWaitEvent(other, done, 0));
        OK(cuMemcpyDtoHAsync(pinned, plain, 4096, other));
        OK(cuMemFreeAsync(ordered, other));
        if (i % 3 == 0)
          OK(cuStreamSynchronize(other));
        else
          OK(cuEventRecord(done, other)), OK(cuStreamWaitEvent(stream, done, 0));
        OK(cuMemcpyHtoDAsync(plain, pinned + 4096, 4096, stream));
        OK(cuMemFree(plain));
      }
      OK(cuStreamSynchronize(other));
      OK(cuMemFreeHost(pinned));
      OK(cuEventDestroy(done));
      OK(cuStreamDestroy(other));
      OK(cuStreamDestroy(stream));
    });
  for (auto& t : threads) t.join();
}

int main() {
  Open();
  LaunchesOfThreadsInTurn();
  FreesOfManyThreads();
  Close();
}
