// Memory of the stream-ordered allocator is used on another stream behind an event.
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent allocated = NewEvent();
  char* data = NewPinned(4096);
  CUdeviceptr buffer;
  OK(cuMemAllocAsync(&buffer, 4096, first));
  OK(cuEventRecord(allocated, first));
  OK(cuStreamWaitEvent(second, allocated, 0));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, second));
  OK(cuCtxSynchronize());
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(data));
  OK(cuEventDestroy(allocated));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  Close();
}
