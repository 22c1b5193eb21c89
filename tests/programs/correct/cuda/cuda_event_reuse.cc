// A wait binds to the record that stands when it is called: the event may be recorded anew at
// once, elsewhere too, and
// destroyed.
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream(), third = NewStream();
  CUevent event = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  memset(data, 9, 4096);
  CUdeviceptr buffer = NewMemory(4096), other = NewMemory(4096);
  for (int round = 0; round < 3; ++round) {
    OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
    OK(cuEventRecord(event, first));
    OK(cuStreamWaitEvent(second, event, 0));
    OK(cuMemsetD8Async(other, 0, 4096, third));
    OK(cuEventRecord(event, third));
    OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
    OK(cuEventRecord(event, second));
    OK(cuStreamWaitEvent(first, event, 0));
  }
  OK(cuEventDestroy(event));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuCtxSynchronize());
  CHECK(result[0] == 9);
  Close(other, buffer, result, data, third, second, first);
}
