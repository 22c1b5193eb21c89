// Defect: Another stream uses the target of a download before anything has waited for the download.
// Fix: The host waits for the stream of the download first.
// EXPECT error race cudaMemcpyAsync at HERE
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=RAW
// EXPECT-TEXT nothing orders it after an earlier cudaMemcpyAsync on stream
// EXPECT-TEXT let the stream of the later cudaMemcpyAsync wait for it
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
