// Defect: A launch asks for more threads in a block than the device has; the kernel does not run.
// Fix: A launch asks for as many threads in a block as the device has.
// EXPECT warning call-failed cudaLaunchKernel at HERE
// EXPECT-TEXT 1024
// EXPECT-TEXT correct the block
#include "common/cudart.h"

int main() {
  const void* nothing = Kernel(KERNEL_NOTHING);
#ifdef DEFECT
  const unsigned threads = 2048;
#else
  const unsigned threads = 1024;
#endif
  // @HERE
  cudaLaunchKernel(nothing, dim3(1), dim3(threads), nullptr, 0, nullptr);
  cudaGetLastError();
  OK(cudaDeviceSynchronize());
  Close();
}
