// Defect: An upload has the kind cudaMemcpyDeviceToHost.
// Fix: The upload has the kind cudaMemcpyHostToDevice.
// EXPECT error copy-direction cudaMemcpy at HERE
// EXPECT-TEXT as src:
// EXIT any
#include "common/cudart.h"

int main() {
  char* data = (char*)calloc(1, 4096);
  char* buffer = NewZeros(4096);
#ifdef DEFECT
  const cudaMemcpyKind kind = cudaMemcpyDeviceToHost;
#else
  const cudaMemcpyKind kind = cudaMemcpyHostToDevice;
#endif
  // @HERE
  cudaMemcpy(buffer, data, 4096, kind);
  cudaGetLastError();
  OK(cudaFree(buffer));
  free(data);
  Close();
}
