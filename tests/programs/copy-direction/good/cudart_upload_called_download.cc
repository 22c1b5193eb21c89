// An upload is called an upload.
#include "common/cudart.h"

int main() {
  char* data = (char*)calloc(1, 4096);
  char* buffer = NewZeros(4096);
  const cudaMemcpyKind kind = cudaMemcpyHostToDevice;
  cudaMemcpy(buffer, data, 4096, kind);
  cudaGetLastError();
  OK(cudaFree(buffer));
  free(data);
  Close();
}
