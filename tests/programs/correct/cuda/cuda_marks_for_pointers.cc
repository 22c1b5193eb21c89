// Pointers that are none stand for something to the kernel: small numbers, all bits set, and the
// numbers right below that. Two arguments may be one pointer, and a pair may be the two ends of a
// range. A base lies an element in front of its memory, as where the first index is one.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096);
  int n = 0;
  const CUdeviceptr marks[] = {1, 16, 4095, ~CUdeviceptr{0}, ~CUdeviceptr{0} - 15};
  for (CUdeviceptr mark : marks) {
    void* arguments[] = {&a, &b, &mark, &n};
    OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  }
  CUdeviceptr end = a + 4096;
  void* range[] = {&a, &end, &b, &n};
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, range, nullptr));
  CUdeviceptr gone = NewMemory(4096), alone = NewMemory(4096), base = alone - 4;
  OK(cuMemFree(gone));
  void* from_one[] = {&a, &b, &base, &n};
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, from_one, nullptr));
  OK(cuMemFree(alone));
  n = 1024;
  void* same[] = {&a, &a, &a, &n};
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, same, nullptr));
  OK(cuCtxSynchronize());
  Close(b, a);
}
