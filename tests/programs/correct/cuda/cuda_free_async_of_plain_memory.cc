// Memory of the plain allocator is freed in the order of a stream, behind its last use there; the
// driver takes that.
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent used = NewEvent();
  char* result = NewPinned(4096);
  for (int round = 0; round < 4; ++round) {
    CUdeviceptr buffer = NewMemory(4096);
    OK(cuMemsetD8Async(buffer, 4, 4096, first));
    OK(cuEventRecord(used, first));
    OK(cuStreamWaitEvent(second, used, 0));
    OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
    OK(cuMemFreeAsync(buffer, second));
    OK(cuStreamSynchronize(second));
    CHECK(result[4095] == 4);
  }
  Close(result, used, second, first);
}
