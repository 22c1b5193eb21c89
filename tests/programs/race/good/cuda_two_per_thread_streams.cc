// Two threads use the per-thread default stream; the one that uploads waits for its own.
#include <thread>

#include "common/cuda.h"

static CUdeviceptr buffer;
static char* data;

static void Upload() {
  OK(cuCtxSetCurrent(context));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, CU_STREAM_PER_THREAD));
  OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
}

int main() {
  Open();
  data = NewPinned(4096);
  char* result = NewPinned(4096);
  buffer = NewMemory(4096);
  std::thread(Upload).join();
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, CU_STREAM_PER_THREAD));
  OK(cuCtxSynchronize());
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
  OK(cuMemFreeHost(data));
  Close();
}
