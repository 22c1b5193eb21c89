// The direction of a copy is left to the runtime, which knows where each pointer lies; a copy
// from host to host is one too.
#include "common/cudart.h"

int main() {
  static char data[4096], result[4096];
  memset(data, 7, sizeof(data));
  char *buffer = NewZeros(4096), *other = NewZeros(4096), *locked = NewPinned(4096);
  OK(cudaMemcpy(buffer, data, 4096, cudaMemcpyDefault));
  OK(cudaMemcpy(other, buffer, 4096, cudaMemcpyDefault));
  OK(cudaMemcpy(locked, other, 4096, cudaMemcpyDefault));
  OK(cudaMemcpy(result, locked, 4096, cudaMemcpyDefault));
  CHECK(memcmp(data, result, 4096) == 0);
  OK(cudaMemcpy(result, data, 4096, cudaMemcpyHostToHost));
  OK(cudaFreeHost(locked));
  OK(cudaFree(other));
  OK(cudaFree(buffer));
  Close();
}
