// Managed memory is used by host and device in turn, with advice and prefetching.
#include "common/cudart.h"

int main() {
  const void* twice = Kernel(KERNEL_TWICE);
  float* data;
  OK(cudaMallocManaged((void**)&data, 4096, cudaMemAttachGlobal));
  for (int i = 0; i < 1024; ++i) data[i] = i;
  void* arguments[] = {&data};
  OK(cudaLaunchKernel(twice, dim3(4), dim3(256), arguments, 0, nullptr));
  OK(cudaDeviceSynchronize());
  CHECK(data[1023] == 2046);
  const cudaMemLocation there = {cudaMemLocationTypeDevice, 0};
  cudaMemPrefetchAsync(data, 4096, there, 0, nullptr);  // some systems cannot
  OK(cudaMemset(data, 0, 4096));
  OK(cudaDeviceSynchronize());
  CHECK(data[0] == 0);
  OK(cudaFree(data));
  Close();
}
