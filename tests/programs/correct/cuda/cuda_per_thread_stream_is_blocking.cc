// The per-thread default stream of every thread is a blocking stream: the legacy stream waits
// for it and it for the legacy
// stream.
#include <thread>

#include "common/cuda.h"

static CUdeviceptr buffer;
static char *data, *result;

static void Upload() {
  OK(cuCtxSetCurrent(context));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, CU_STREAM_PER_THREAD));
}

static void Download() {
  OK(cuCtxSetCurrent(context));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, CU_STREAM_PER_THREAD));
  OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
}

int main() {
  Open();
  data = NewPinned(4096);
  result = NewPinned(4096);
  buffer = NewMemory(4096);
  std::thread(Upload).join();
  OK(cuMemsetD8Async(buffer, 3, 1024, CU_STREAM_LEGACY));
  std::thread(Download).join();
  CHECK(result[0] == 3 && result[1024] == 0);
  Close(buffer, result, data);
}
