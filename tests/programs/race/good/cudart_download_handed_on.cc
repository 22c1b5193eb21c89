// A download is handed on behind a wait for its stream.
#include "common/cudart.h"

int main() {
  cudaStream_t first, second;
  OK(cudaStreamCreate(&first));
  OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  char *one = NewZeros(4096), *two = NewZeros(4096);
  char* result = NewPinned(4096);
  OK(cudaMemcpyAsync(result, one, 4096, cudaMemcpyDeviceToHost, first));
  OK(cudaStreamSynchronize(first));
  OK(cudaMemcpyAsync(two, result, 4096, cudaMemcpyHostToDevice, second));
  OK(cudaDeviceSynchronize());
  OK(cudaFreeHost(result));
  OK(cudaFree(two));
  OK(cudaFree(one));
  OK(cudaStreamDestroy(second));
  OK(cudaStreamDestroy(first));
  Close();
}
