// Defect: Half of a model is copied to the device, and a kernel reads all of it.
// Fix: All of a model is copied to the device, and a kernel reads it.
// EXPECT warning partially-initialized cudaLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT argument=0
// EXPECT-FACT written_bytes=2048
// EXPECT-FACT resource_bytes=4096
#include "common/cudart.h"

int main() {
  const void* copy = Kernel(KERNEL_COPY);
  static float data[1024];
  float *in, *out;
  // @CREATED
  OK(cudaMalloc((void**)&in, sizeof(data)));
  OK(cudaMalloc((void**)&out, sizeof(data)));
#ifdef DEFECT
  const size_t bytes = sizeof(data) / 2;
#else
  const size_t bytes = sizeof(data);
#endif
  OK(cudaMemcpy(in, data, bytes, cudaMemcpyHostToDevice));
  void* arguments[] = {&in, &out};
  // @HERE
  OK(cudaLaunchKernel(copy, dim3(4), dim3(256), arguments, 0, nullptr));
  OK(cudaDeviceSynchronize());
  OK(cudaFree(out));
  OK(cudaFree(in));
  Close();
}
