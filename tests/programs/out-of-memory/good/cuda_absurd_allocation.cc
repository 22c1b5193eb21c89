// Memory is asked for that the device has.
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr held, more;
  OK(cuMemAlloc(&held, 1 << 20));
  const size_t bytes = (size_t)1 << 20;
  if (cuMemAlloc(&more, bytes) == CUDA_SUCCESS) OK(cuMemFree(more));
  OK(cuMemFree(held));
  Close();
}
