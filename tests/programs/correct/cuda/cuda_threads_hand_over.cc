// Threads fill buffers on their streams and others read them on theirs; what orders the streams is
// an event that goes along with the buffer, both ways.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "common/cuda.h"

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

static constexpr int kItems = 4, kThreads = 3, kRounds = 40;
static Items full, spare;

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

int main() {
  Open();
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
  Close();
}
