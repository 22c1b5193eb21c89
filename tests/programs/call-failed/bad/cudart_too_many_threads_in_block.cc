// A launch asks for more threads in a block than the device has; the kernel does not run.
// EXPECT warning call-failed cudaLaunchKernel at HERE
// EXPECT-TEXT 1024
#include "common/cudart.h"

int main() {
  const void* nothing = Kernel(KERNEL_NOTHING);
  const unsigned threads = 2048;
  // @HERE
  cudaLaunchKernel(nothing, dim3(1), dim3(threads), nullptr, 0, nullptr);
  cudaGetLastError();
  OK(cudaDeviceSynchronize());
  Close();
}
