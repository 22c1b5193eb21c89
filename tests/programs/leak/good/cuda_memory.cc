// Device memory is freed.
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, 4096));
  OK(cuMemsetD8(buffer, 0, 4096));
  OK(cuCtxSynchronize());
  OK(cuMemFree(buffer));
  Close();
}
