// Defect: A growing buffer loses its last memory at the end of the process.
// Fix: The last memory is freed.
// EXPECT error leak cuMemAlloc_v2 at CREATED
#include "common/cuda.h"

static CUdeviceptr Grow(CUdeviceptr old, size_t bytes) {
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, bytes));
  if (old) OK(cuMemFree(old));
  return buffer;
}

int main() {
  Open();
  CUdeviceptr buffer = 0;
  for (int round = 1; round < 5; ++round) buffer = Grow(buffer, round * 65536);
#ifndef DEFECT
  OK(cuMemFree(buffer));
#endif
  return 0;
}
