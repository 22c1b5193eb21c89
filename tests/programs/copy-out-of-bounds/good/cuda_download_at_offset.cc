// A download begins inside of an allocation and ends at its end.
#include "common/cuda.h"

int main() {
  Open();
  static char result[4096];
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, 4096));
  OK(cuMemsetD8(buffer, 1, 4096));
  const size_t bytes = 2048;
  cuMemcpyDtoH(result, buffer + 2048, bytes);
  OK(cuMemFree(buffer));
  Close();
}
