// Defect: A download is handed on to another stream before anything has waited for it.
// Fix: A download is handed on behind a wait for its stream.
// EXPECT error race cudaMemcpyAsync at HERE
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=RAW
#include "common/cudart.h"

int main() {
  cudaStream_t first, second;
  OK(cudaStreamCreate(&first));
  OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  char *one = NewZeros(4096), *two = NewZeros(4096);
  char* result = NewPinned(4096);
  // @FIRST
  OK(cudaMemcpyAsync(result, one, 4096, cudaMemcpyDeviceToHost, first));
#ifndef DEFECT
  OK(cudaStreamSynchronize(first));
#endif
  // @HERE
  OK(cudaMemcpyAsync(two, result, 4096, cudaMemcpyHostToDevice, second));
  OK(cudaDeviceSynchronize());
  OK(cudaFreeHost(result));
  OK(cudaFree(two));
  OK(cudaFree(one));
  OK(cudaStreamDestroy(second));
  OK(cudaStreamDestroy(first));
  Close();
}
