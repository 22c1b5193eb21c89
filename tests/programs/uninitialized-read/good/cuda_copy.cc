// Memory is filled and copied on the device.
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr from, to = NewMemory(4096);
  OK(cuMemAlloc(&from, 4096));
  OK(cuMemsetD8(from, 0, 4096));
  OK(cuMemcpyDtoD(to, from, 4096));
  OK(cuCtxSynchronize());
  OK(cuMemFree(to));
  OK(cuMemFree(from));
  Close();
}
