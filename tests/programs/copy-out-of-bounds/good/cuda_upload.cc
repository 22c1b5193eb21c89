// A device allocation is as long as the upload.
#include "common/cuda.h"

int main() {
  Open();
  enum { n = 4096 };
  static float data[n];
  const size_t bytes = n * sizeof(float);
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, bytes));
  cuMemcpyHtoD(buffer, data, n * sizeof(float));
  OK(cuMemFree(buffer));
  Close();
}
