// A download is handed on to another stream behind an event.
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent downloaded = NewEvent();
  CUdeviceptr one = NewZeros(4096), two = NewMemory(4096);
  char* result = NewPinned(4096);
  OK(cuMemcpyDtoHAsync(result, one, 4096, first));
  OK(cuEventRecord(downloaded, first));
  OK(cuStreamWaitEvent(second, downloaded, 0));
  OK(cuMemcpyHtoDAsync(two, result, 4096, second));
  OK(cuCtxSynchronize());
  OK(cuMemFreeHost(result));
  OK(cuMemFree(two));
  OK(cuMemFree(one));
  OK(cuEventDestroy(downloaded));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  Close();
}
