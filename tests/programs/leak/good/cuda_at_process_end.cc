// A growing buffer gives back its last memory.
#include "common/cuda.h"

static CUdeviceptr Grow(CUdeviceptr old, size_t bytes) {
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, bytes));
  if (old) OK(cuMemFree(old));
  return buffer;
}

int main() {
  Open();
  CUdeviceptr buffer = 0;
  for (int round = 1; round < 5; ++round) buffer = Grow(buffer, round * 65536);
  OK(cuMemFree(buffer));
  return 0;
}
