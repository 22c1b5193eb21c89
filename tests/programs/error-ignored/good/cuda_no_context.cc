// A context is current when memory is asked for.
#include "common/cuda.h"

int main() {
  OK(cuInit(0));
  static char data[4096];
  CUdeviceptr buffer = 0;
  Open();
  cuMemAlloc(&buffer, sizeof(data));
  cuMemcpyHtoD(buffer, data, sizeof(data));
  if (buffer) OK(cuMemFree(buffer));
  Close();
}
