// An upload is called a download.
// EXPECT error copy-direction cudaMemcpy at HERE
// EXIT any
#include "common/cudart.h"

int main() {
  char* data = (char*)calloc(1, 4096);
  char* buffer = NewZeros(4096);
  const cudaMemcpyKind kind = cudaMemcpyDeviceToHost;
  // @HERE
  cudaMemcpy(buffer, data, 4096, kind);
  cudaGetLastError();
  OK(cudaFree(buffer));
  free(data);
  Close();
}
