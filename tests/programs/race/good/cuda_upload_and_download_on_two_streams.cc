// An asynchronous upload on one stream; the stream that downloads it waits for an event behind
// it.
#include "common/cuda.h"

int main() {
  Open();
  CUstream first, second;
  OK(cuStreamCreate(&first, CU_STREAM_DEFAULT));
  OK(cuStreamCreate(&second, CU_STREAM_DEFAULT));
  CUevent uploaded;
  OK(cuEventCreate(&uploaded, CU_EVENT_DISABLE_TIMING));
  char *data, *result;
  OK(cuMemAllocHost((void**)&data, 4096));
  OK(cuMemAllocHost((void**)&result, 4096));
  memset(data, 1, 4096);
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, 4096));
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
