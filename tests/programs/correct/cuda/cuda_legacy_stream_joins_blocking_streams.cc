// Work on the legacy stream comes behind what blocking streams got before, and in front of what
// they get later.
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(CU_STREAM_DEFAULT), second = NewStream(CU_STREAM_DEFAULT);
  char *data = NewPinned(4096), *result = NewPinned(4096);
  memset(data, 5, 4096);
  CUdeviceptr one = NewMemory(4096), two = NewMemory(4096);
  const CUstream names[] = {nullptr, CU_STREAM_LEGACY};
  for (CUstream legacy : names) {
    OK(cuMemcpyHtoDAsync(one, data, 4096, first));
    OK(cuMemcpyDtoDAsync(two, one, 4096, legacy));
    OK(cuMemcpyDtoHAsync(result, two, 4096, second));
    OK(cuMemsetD8Async(one, 0, 4096, legacy));
    OK(cuMemsetD8Async(two, 0, 4096, first));
    OK(cuStreamSynchronize(legacy));
    CHECK(result[0] == 5 && result[4095] == 5);
    OK(cuMemcpyHtoDAsync(two, data, 4096, second));
    OK(cuStreamSynchronize(second));
  }
  Close(two, one, result, data, second, first);
}
