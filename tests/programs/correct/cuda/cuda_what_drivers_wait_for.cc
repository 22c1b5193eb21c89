// Drivers wait for more than the documents promise: for staged uploads, for copies on the
// device, at a free. Programs that rely on it get findings only in strict mode.
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
  char *data = (char*)calloc(1, 65536), *result = NewPinned(65536);
  CUdeviceptr buffer = NewMemory(65536), copy = NewMemory(65536), scratch = NewMemory(65536);
  OK(cuMemcpyHtoD(buffer, data, 65536));
  OK(cuMemcpyDtoHAsync(result, buffer, 65536, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemsetD8Async(copy, 0, 65536, CU_STREAM_LEGACY));
  OK(cuMemFree(scratch));
  OK(cuMemcpyDtoHAsync(result, copy, 65536, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemFree(copy));
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
  free(data);
  Close(stream);
}
