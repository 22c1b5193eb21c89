// Calls that fail and are looked at: queries that are not ready, an occupied result, a cleared
// error.
#include "common/cudart.h"

int main() {
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  char* data = NewPinned(1 << 20);
  char* buffer = NewZeros(1 << 20);
  OK(cudaMemcpyAsync(buffer, data, 1 << 20, cudaMemcpyHostToDevice, stream));
  while (cudaStreamQuery(stream) == cudaErrorNotReady) {
  }
  cudaGetLastError();
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, buffer));
  CHECK(attributes.type == cudaMemoryTypeDevice);
  cudaPointerGetAttributes(&attributes, &attributes);  // ordinary host memory
  cudaGetLastError();
  OK(cudaFree(nullptr));
  OK(cudaFreeHost(nullptr));
  OK(cudaFree(buffer));
  OK(cudaFreeHost(data));
  OK(cudaStreamDestroy(stream));
  Close();
}
