// The host polls a stream and an event until they are done; that is as good as waiting.
#include "common/cuda.h"

static void Poll(CUresult (*query)(void*), void* handle) {
  for (;;) {
    const CUresult result = query(handle);
    if (result == CUDA_SUCCESS) return;
    FAILS(CUDA_ERROR_NOT_READY, result);
  }
}

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent done = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  Poll([](void* stream) { return cuStreamQuery((CUstream)stream); }, first);
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuEventRecord(done, second));
  Poll([](void* event) { return cuEventQuery((CUevent)event); }, done);
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuMemsetD8Async(buffer, 1, 4096, first));
  OK(cuEventRecord(done, first));
  OK(cuEventSynchronize(done));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuStreamSynchronize(second));
  CHECK(result[17] == 1);
  Close(buffer, result, data, done, second, first);
}
