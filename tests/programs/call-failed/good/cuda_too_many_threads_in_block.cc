// A launch asks for as many threads in a block as the device has.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction nothing = Kernel(KERNEL_NOTHING);
  const unsigned threads = 1024;
  cuLaunchKernel(nothing, 1, 1, 1, threads, 1, 1, 0, nullptr, nullptr, nullptr);
  OK(cuCtxSynchronize());
  Close();
}
