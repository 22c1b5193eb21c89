// Memory is freed behind a wait, allocated anew at perhaps the same address, and used on
// another stream.
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  char *data = NewPinned(65536), *result = NewPinned(65536);
  for (int round = 0; round < 4; ++round) {
    CUstream stream = round % 2 ? first : second;
    CUdeviceptr buffer = NewMemory(65536);
    OK(cuMemcpyHtoDAsync(buffer, data, 65536, stream));
    OK(cuMemcpyDtoHAsync(result, buffer, 65536, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemFree(buffer));
  }
  Close(result, data, second, first);
}
