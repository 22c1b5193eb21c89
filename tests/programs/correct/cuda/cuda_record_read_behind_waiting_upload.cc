// A host function in the stream waits until a record is in the page-locked block, which the upload behind it reads: the
// upload is pending while the file is read, and cannot run. A driver that runs host functions in the submitting call blocks
// the submitting thread.
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "common/cuda.h"

static constexpr size_t kBytes = 65536;
static std::mutex lock;
static std::condition_variable changed;
static bool submitted, loaded;

static void Set(bool* flag) {
  std::lock_guard<std::mutex> hold(lock);
  *flag = true;
  changed.notify_all();
}

static void WaitForRecord(void*) {
  std::unique_lock<std::mutex> hold(lock);
  changed.wait(hold, [] { return loaded; });
}

int main() {
  Open();
  CUstream stream = NewStream();
  char* block = NewPinned(kBytes);
  CUdeviceptr memory = NewMemory(kBytes);
  const int file = memfd_create("record", 0);
  CHECK(ftruncate(file, kBytes) == 0);
  std::thread submitter([=] {
    OK(cuCtxSetCurrent(context));
    OK(cuLaunchHostFunc(stream, WaitForRecord, nullptr));
    OK(cuMemcpyHtoDAsync(memory, block, kBytes, stream));
    Set(&submitted);
  });
  {
    std::unique_lock<std::mutex> hold(lock);
    changed.wait_for(hold, std::chrono::milliseconds(100), [] { return submitted; });
  }
  CHECK(pread(file, block, kBytes, 0) == (ssize_t)kBytes);
  Set(&loaded);
  submitter.join();
  OK(cuStreamSynchronize(stream));
  close(file);
  Close(block, memory, stream);
}
