// A launch asks for as many threads in a block as the device has.
#include "common/cudart.h"

int main() {
  const void* nothing = Kernel(KERNEL_NOTHING);
  const unsigned threads = 1024;
  cudaLaunchKernel(nothing, dim3(1), dim3(threads), nullptr, 0, nullptr);
  cudaGetLastError();
  OK(cudaDeviceSynchronize());
  Close();
}
