// Threads use streams and memory of their own or in turn, and hand over to each other.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "common/cuda.h"

// Threads with streams of their own work side by side and hand over to the main thread.
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

static void Threads() {
  char* results = NewPinned(4 * 4096);
  std::thread threads[4];
  for (int i = 0; i < 4; ++i) threads[i] = std::thread(Work, i, results + i * 4096);
  for (std::thread& thread : threads) thread.join();
  CHECK(results[3 * 4096] == 3);
  Release(results);
}

// Threads take turns to launch into one stream, none of them waits for it; the last one frees what
// all have used when an event behind it all is complete.
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

// Threads fill buffers on their streams and others read them on theirs; what orders the streams is
// an event that goes along with the buffer, both ways.
struct Item {
  CUdeviceptr memory;
  CUevent ready;
  int* pinned;
  int value;
};

class Items {
 public:
  void Put(const Item& item) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      items_.push_back(item);
    }
    more_.notify_one();
  }
  Item Take() {
    std::unique_lock<std::mutex> lock(mutex_);
    more_.wait(lock, [this] { return !items_.empty(); });
    const Item item = items_.front();
    items_.pop_front();
    return item;
  }

 private:
  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<Item> items_;
};
static Items full, spare;
constexpr int kRounds = 40;

static void Fill(int thread, CUfunction fill) {
  OK(cuCtxSetCurrent(context));
  CUstream stream = NewStream(thread == 0 ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING);
  for (int i = 0; i < kRounds; ++i) {
    Item item = spare.Take();
    OK(cuStreamWaitEvent(stream, item.ready, 0));
    item.value = thread * 1000 + i;
    void* arguments[] = {&item.memory, &item.value};
    OK(cuLaunchKernel(fill, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
    OK(cuEventRecord(item.ready, stream));
    full.Put(item);
  }
  OK(cuStreamSynchronize(stream));
  OK(cuStreamDestroy(stream));
}

static void Read() {
  OK(cuCtxSetCurrent(context));
  CUstream stream = NewStream();
  for (int i = 0; i < kRounds; ++i) {
    const Item item = full.Take();
    if (i % 3 == 0) {
      OK(cuEventSynchronize(item.ready));
    } else {
      OK(cuStreamWaitEvent(stream, item.ready, 0));
    }
    OK(cuMemcpyDtoHAsync(item.pinned, item.memory, 4096, stream));
    if (i % 4 == 0) {
      OK(cuStreamSynchronize(stream));
      CHECK(item.pinned[1023] == item.value);
    }
    OK(cuEventRecord(item.ready, stream));
    if (i % 10 == 0) OK(cuMemFree(NewMemory(256)));
    spare.Put(item);
  }
  OK(cuStreamSynchronize(stream));
  OK(cuStreamDestroy(stream));
}

static void ThreadsHandOver() {
  constexpr int kItems = 4, kThreads = 3;
  CUfunction fill = Kernel(KERNEL_FILL);
  for (int i = 0; i < kItems; ++i)
    spare.Put({NewMemory(4096), NewEvent(), (int*)NewPinned(4096), 0});
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back(Fill, i, fill);
    threads.emplace_back(Read);
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < kItems; ++i) {
    const Item item = spare.Take();
    OK(cuMemFree(item.memory));
    OK(cuMemFreeHost(item.pinned));
    OK(cuEventDestroy(item.ready));
  }
}

int main() {
  Open();
  Threads();
  LaunchesOfThreadsInTurn();
  FreesOfManyThreads();
  ThreadsHandOver();
  Close();
}
