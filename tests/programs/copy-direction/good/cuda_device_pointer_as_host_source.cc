// Device memory is copied as such.
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr from, to = NewMemory(4096);
  OK(cuMemAlloc(&from, 4096));
  OK(cuMemsetD8(from, 0, 4096));
  OK(cuMemcpyDtoD(to, from, 4096));
  OK(cuMemFree(from));
  OK(cuMemFree(to));
  Close();
}
