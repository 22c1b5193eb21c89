// An upload is done, and what it wrote is downloaded.
#include "common/cuda.h"

int main() {
  Open();
  static char data[8192], result[4096];
  CUdeviceptr buffer = NewMemory(4096);
  const size_t bytes = 4096;
  cuMemcpyHtoD(buffer, data, bytes);
  OK(cuMemcpyDtoH(result, buffer, sizeof(result)));
  OK(cuMemFree(buffer));
  Close();
}
