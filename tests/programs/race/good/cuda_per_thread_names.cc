// The thread's own default stream waits for the non-blocking stream.
#define CUDA_API_PER_THREAD_DEFAULT_STREAM
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
  CUevent uploaded = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, stream));
  OK(cuEventRecord(uploaded, stream));
  OK(cuStreamWaitEvent(nullptr, uploaded, 0));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
  OK(cuMemFreeHost(data));
  OK(cuEventDestroy(uploaded));
  OK(cuStreamDestroy(stream));
  Close();
}
