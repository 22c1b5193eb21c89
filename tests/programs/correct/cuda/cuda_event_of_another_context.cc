// A stream waits for an event of another context.
#include "common/cuda.h"

int main() {
  Open();
  CUcontext other;
  OK(cuCtxCreate(&other, nullptr, 0, device));  // it is current now
  CUstream first = NewStream();
  CUevent uploaded = NewEvent();
  OK(cuCtxSetCurrent(context));
  CUstream second = NewStream();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  memset(data, 4, 4096);
  CUdeviceptr buffer = NewMemory(4096);
  OK(cuCtxSetCurrent(other));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuEventRecord(uploaded, first));
  OK(cuCtxSetCurrent(context));
  OK(cuStreamWaitEvent(second, uploaded, 0));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuStreamSynchronize(second));
  CHECK(result[0] == 4);
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
  OK(cuMemFreeHost(data));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  OK(cuEventDestroy(uploaded));
  OK(cuCtxDestroy(other));
  Close();
}
