// Defect: The input of a kernel is uploaded on one stream and the kernel launched on another,
// without an event between them.
// Fix: The stream of the kernel waits for an event after the upload.
// EXPECT error race cudaLaunchKernel at HERE
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-FACT hazard=RAW
#include "common/cudart.h"

int main() {
  const void* copy = Kernel(KERNEL_COPY);
  cudaStream_t first, second;
  OK(cudaStreamCreate(&first));
  OK(cudaStreamCreate(&second));
  cudaEvent_t uploaded;
  OK(cudaEventCreate(&uploaded));
  char* data = NewPinned(4096);
  char *in = NewZeros(4096), *out = NewZeros(4096);
  // @UPLOAD
  OK(cudaMemcpyAsync(in, data, 4096, cudaMemcpyHostToDevice, first));
  OK(cudaEventRecord(uploaded, first));
#ifndef DEFECT
  OK(cudaStreamWaitEvent(second, uploaded, 0));
#endif
  void* arguments[] = {&in, &out};
  // @HERE
  OK(cudaLaunchKernel(copy, dim3(4), dim3(256), arguments, 0, second));
  OK(cudaDeviceSynchronize());
  OK(cudaFree(out));
  OK(cudaFree(in));
  OK(cudaFreeHost(data));
  OK(cudaEventDestroy(uploaded));
  OK(cudaStreamDestroy(second));
  OK(cudaStreamDestroy(first));
  Close();
}
