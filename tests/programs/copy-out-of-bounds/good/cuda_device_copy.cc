// A copy on the device is as long as its destination.
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr from, to;
  OK(cuMemAlloc(&from, 8192));
  const size_t bytes = 8192;
  OK(cuMemAlloc(&to, bytes));
  OK(cuMemsetD8(from, 1, 8192));
  cuMemcpyDtoD(to, from, 8192);
  OK(cuMemFree(to));
  OK(cuMemFree(from));
  Close();
}
