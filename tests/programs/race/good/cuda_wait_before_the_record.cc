// A stream waits for an event that has been recorded.
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent uploaded = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  OK(cuEventRecord(uploaded, first));
  OK(cuEventSynchronize(uploaded));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuEventRecord(uploaded, first));
  OK(cuStreamWaitEvent(second, uploaded, 0));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuCtxSynchronize());
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
  OK(cuMemFreeHost(data));
  OK(cuEventDestroy(uploaded));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  Close();
}
