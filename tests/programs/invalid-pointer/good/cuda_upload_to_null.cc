// The destination of an upload is allocated.
#include "common/cuda.h"

int main() {
  Open();
  static char data[4096];
  CUdeviceptr buffer = 0;
  OK(cuMemAlloc(&buffer, sizeof(data)));
  cuMemcpyHtoD(buffer, data, sizeof(data));
  OK(cuMemFree(buffer));
  Close();
}
