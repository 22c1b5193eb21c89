// Defect: Device memory is never freed.
// Fix: Device memory is freed.
// EXPECT error leak cuMemAlloc_v2 at CREATED
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
  OK(cuMemsetD8(buffer, 0, 4096));
  OK(cuCtxSynchronize());
#ifndef DEFECT
  OK(cuMemFree(buffer));
#endif
  Close();
}
