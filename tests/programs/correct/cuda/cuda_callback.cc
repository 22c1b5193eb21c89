// Callbacks of the old kind: what is before one in its stream is complete when it runs, and what is
// behind it comes later. The program waits for the callback and for no stream.
#include <atomic>

#include "common/cuda.h"

static std::atomic<int> called{0};

static void CUDA_CB Called(CUstream, CUresult status, void* data) {
  CHECK(status == CUDA_SUCCESS);
  char* block = (char*)data;
  CHECK(block[0] == called.load() + 1);
  block[0] = 0;
  called.fetch_add(1);
}

int main() {
  Open();
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
  Close(block, buffer, other, stream);
}
