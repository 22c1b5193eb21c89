// Sources of asynchronous uploads are changed and freed when the driver does not need them any
// more.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

#include "common/cuda.h"

// Pageable memory is staged when an asynchronous upload returns: its block is freed at once, serves
// for another and smaller one, goes with its mapping, or is a variable of a function that has
// returned.
static CUdeviceptr buffer;
static CUstream stream;

static void UploadOwn(unsigned char value) {
  char own[2048];
  memset(own, value, sizeof(own));
  OK(cuMemcpyHtoDAsync(buffer, own, sizeof(own), stream));
}

static void BlocksFreedBehindTheUpload() {
  stream = NewStream();
  buffer = NewMemory(1 << 20);
  char* result = NewPinned(4096);
  OK(cuMemsetD8(buffer, 0, 1 << 20));
  OK(cuCtxSynchronize());
  for (int round = 0; round < 50; ++round) {
    char* block = (char*)malloc(65536);
    memset(block, round, 65536);
    OK(cuMemcpyHtoDAsync(buffer, block, 65536, stream));
    free(block);
    char* smaller = (char*)malloc(2048);  // may lie where the first one was
    memset(smaller, round, 2048);
    OK(cuMemcpyHtoDAsync(buffer + 65536, smaller, 2048, stream));
    free(smaller);
    char* mapped =
        (char*)mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(mapped, round, 1 << 20);
    OK(cuMemcpyHtoDAsync(buffer, mapped, 1 << 20, stream));
    munmap(mapped, 1 << 20);
    UploadOwn((unsigned char)round);
    OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(result[0] == (char)round && result[4095] == (char)round);
  }
  Release(result, buffer, stream);
}

// A host function in the stream waits until a record is in the page-locked block, which the upload behind it reads: the
// upload is pending while the file is read, and cannot run. A driver that runs host functions in the submitting call blocks
// the submitting thread.
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

static void RecordReadBehindWaitingUpload() {
  constexpr size_t kBytes = 65536;
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
  Release(block, memory, stream);
}

int main() {
  Open();
  BlocksFreedBehindTheUpload();
  RecordReadBehindWaitingUpload();
  Close();
}
