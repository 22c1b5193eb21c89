// All of a model is copied to the device, and a kernel reads it.
#include "common/cudart.h"

int main() {
  const void* copy = Kernel(KERNEL_COPY);
  static float data[1024];
  float *in, *out;
  OK(cudaMalloc((void**)&in, sizeof(data)));
  OK(cudaMalloc((void**)&out, sizeof(data)));
  const size_t bytes = sizeof(data);
  OK(cudaMemcpy(in, data, bytes, cudaMemcpyHostToDevice));
  void* arguments[] = {&in, &out};
  OK(cudaLaunchKernel(copy, dim3(4), dim3(256), arguments, 0, nullptr));
  OK(cudaDeviceSynchronize());
  OK(cudaFree(out));
  OK(cudaFree(in));
  Close();
}
