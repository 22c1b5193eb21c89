// Two events, one for each stream that is waited for.
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream(), third = NewStream();
  CUevent uploaded = NewEvent(), other = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096), unrelated = NewMemory(4096);
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuEventRecord(uploaded, first));
  OK(cuMemsetD8Async(unrelated, 0, 4096, third));
  OK(cuEventRecord(other, third));
  OK(cuStreamWaitEvent(second, uploaded, 0));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuCtxSynchronize());
  OK(cuMemFree(unrelated));
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
  OK(cuMemFreeHost(data));
  OK(cuEventDestroy(other));
  OK(cuEventDestroy(uploaded));
  OK(cuStreamDestroy(third));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  Close();
}
