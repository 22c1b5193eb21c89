// A synchronous upload from page-locked memory is complete on return: any stream may use it
// then.
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
  char *data = NewPinned(4096), *result = NewPinned(4096);
  memset(data, 3, 4096);
  CUdeviceptr buffer = NewMemory(4096);
  OK(cuMemcpyHtoD(buffer, data, 4096));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 3);
  OK(cuMemsetD8Async(buffer, 8, 4096, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemcpyDtoH(result, buffer, 4096));
  OK(cuMemsetD8Async(buffer, 0, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 8);
  Close(buffer, result, data, stream);
}
