// A wait for the context is a wait for all of its streams, the non-blocking ones too; a record
// and a wait of the context
// are so too.
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent event = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  memset(data, 4, 4096);
  CUdeviceptr buffer = NewMemory(4096);
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuCtxSynchronize());
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuCtxSynchronize());
  CHECK(result[0] == 4);
  OK(cuMemsetD8Async(buffer, 6, 4096, first));
  OK(cuCtxRecordEvent(context, event));
  OK(cuStreamWaitEvent(second, event, 0));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuEventRecord(event, second));
  OK(cuCtxWaitEvent(context, event));
  OK(cuMemsetD8Async(buffer, 7, 4096, first));
  OK(cuCtxSynchronize());
  CHECK(result[0] == 6);
  Close(buffer, result, data, event, second, first);
}
