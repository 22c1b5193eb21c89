// An asynchronous download into page-locked memory.
// OPTION --enable=pageable-async-copy
#include "common/cudart.h"

int main() {
  char* buffer = NewZeros(65536);
  char* locked = NewPinned(65536);
  char* result = locked;
  OK(cudaMemcpyAsync(result, buffer, 65536, cudaMemcpyDeviceToHost, nullptr));
  OK(cudaStreamSynchronize(nullptr));
  OK(cudaFree(buffer));
  OK(cudaFreeHost(locked));
  Close();
}
