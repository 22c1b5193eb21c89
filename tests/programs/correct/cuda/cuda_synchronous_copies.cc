// Host memory may be changed and freed right behind a synchronous copy, in both directions, and
// behind an asynchronous one
// from pageable memory.
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream(CU_STREAM_DEFAULT);
  CUdeviceptr buffer = NewMemory(1 << 20);
  for (int round = 0; round < 4; ++round) {
    char* data = (char*)malloc(1 << 20);
    memset(data, round, 1 << 20);
    if (round % 2) {
      OK(cuMemcpyHtoD(buffer, data, 1 << 20));
    } else {
      OK(cuMemcpyHtoDAsync(buffer, data, 1 << 20, stream));
    }
    memset(data, 99, 1 << 20);
    free(data);
    char* result = (char*)malloc(1 << 20);
    OK(cuMemcpyDtoH(result, buffer, 1 << 20));
    CHECK(result[0] == round && result[(1 << 20) - 1] == round);
    free(result);
  }
  Close(buffer, stream);
}
