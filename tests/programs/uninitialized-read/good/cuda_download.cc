// Memory is filled and downloaded.
#include "common/cuda.h"

int main() {
  Open();
  static char result[4096];
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, 4096));
  OK(cuMemsetD8(buffer, 0, 4096));
  OK(cuMemcpyDtoH(result, buffer, 4096));
  OK(cuMemFree(buffer));
  Close();
}
