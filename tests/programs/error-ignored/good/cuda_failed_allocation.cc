// An allocation succeeds, and its pointer is used.
#include "common/cuda.h"

int main() {
  Open();
  static char data[4096];
  const size_t bytes = (size_t)1 << 12;
  CUdeviceptr buffer = 0;
  cuMemAlloc(&buffer, bytes);
  cuMemcpyHtoD(buffer, data, sizeof(data));
  if (buffer) OK(cuMemFree(buffer));
  Close();
}
