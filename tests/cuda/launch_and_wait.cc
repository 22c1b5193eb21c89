// Launches a kernel with freed memory as an argument, and waits for ever without another call.
#include <unistd.h>

#include "common/cuda.h"

int main() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  // First, so that it is not one past the end of another.
  CUdeviceptr freed = NewMemory(4096), a = NewZeros(4096), b = NewZeros(4096), other;
  int n = 1;
  // Some launches that are right come first.
  void* right[] = {&a, &b, &a, &n};
  for (int i = 0; i < 3; ++i)
    OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, right, nullptr));
  OK(cuMemAlloc(&other, 4 << 20));
  OK(cuMemFree(freed));
  void* wrong[] = {&a, &b, &freed, &n};
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, wrong, nullptr));
  for (;;) pause();
}
