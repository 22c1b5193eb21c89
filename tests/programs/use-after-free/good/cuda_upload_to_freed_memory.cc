// The memory of an upload is freed behind it.
#include "common/cuda.h"

int main() {
  Open();
  static char data[4096];
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, 4096));
  cuMemcpyHtoD(buffer, data, 4096);
  OK(cuMemFree(buffer));
  Close();
}
