// Defect: Two threads use the per-thread default stream: each has its own, and a joined thread has
// waited for nothing.
// Fix: Two threads use the per-thread default stream; the one that uploads waits for its own.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-FACT hazard=RAW
#include <thread>

#include "common/cuda.h"

static CUdeviceptr buffer;
static char* data;

static void Upload() {
  OK(cuCtxSetCurrent(context));
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, CU_STREAM_PER_THREAD));
#ifndef DEFECT
  OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
#endif
}

int main() {
  Open();
  data = NewPinned(4096);
  char* result = NewPinned(4096);
  buffer = NewMemory(4096);
  std::thread(Upload).join();
  // @HERE
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, CU_STREAM_PER_THREAD));
  OK(cuCtxSynchronize());
  Close(buffer, result, data);
}
