// Memory is asked for that the device has.
#include "common/cudart.h"

int main() {
  void *held, *more;
  OK(cudaMalloc(&held, 1 << 20));
  const size_t bytes = (size_t)1 << 20;
  if (cudaMalloc(&more, bytes) == cudaSuccess) OK(cudaFree(more));
  OK(cudaFree(held));
  Close();
}
