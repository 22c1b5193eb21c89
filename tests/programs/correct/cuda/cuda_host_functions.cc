// Host functions and callbacks of streams.
#include <atomic>

#include "common/cuda.h"

// A host function comes behind the work in front of it and holds up the work behind it.
struct Work {
  char* data;
  int seen;
};

static void CUDA_CB Use(void* argument) {
  Work* work = (Work*)argument;
  work->seen = work->data[0];
  memset(work->data, 77, 4096);
}

static void HostFunction() {
  CUstream stream = NewStream();
  char* data = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  Work work = {data, 0};
  OK(cuMemsetD8Async(buffer, 5, 4096, stream));
  OK(cuMemcpyDtoHAsync(data, buffer, 4096, stream));
  OK(cuLaunchHostFunc(stream, Use, &work));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(work.seen == 5);
  OK(cuMemcpyDtoH(data, buffer, 4096));
  CHECK(data[4095] == 77);
  Release(buffer, data, stream);
}

// Callbacks of the old kind: what is before one in its stream is complete when it runs, and what is
// behind it comes later. The program waits for the callback and for no stream.
static std::atomic<int> called{0};

static void CUDA_CB Called(CUstream, CUresult status, void* data) {
  CHECK(status == CUDA_SUCCESS);
  char* block = (char*)data;
  CHECK(block[0] == called.load() + 1);
  block[0] = 0;
  called.fetch_add(1);
}

static void Callback() {
  CUstream stream = NewStream(), other = NewStream();
  CUdeviceptr buffer = NewMemory(4096);
  char* block = NewPinned(4096);
  for (int round = 0; round < 3; ++round) {
    OK(cuMemsetD8Async(buffer, (unsigned char)(round + 1), 4096, stream));
    OK(cuMemcpyDtoHAsync(block, buffer, 4096, stream));
    OK(cuStreamAddCallback(stream, Called, block, 0));
    while (called.load() != round + 1) {
    }
    // All that was before the callback is known to be complete: another stream may go on.
    OK(cuMemcpyHtoDAsync(buffer, block, 4096, other));
    OK(cuStreamSynchronize(other));
  }
  OK(cuStreamSynchronize(stream));
  Release(block, buffer, other, stream);
}

int main() {
  Open();
  HostFunction();
  Callback();
  Close();
}
