// A device is reset behind the last free, and used again.
#include "common/cudart.h"

int main() {
  for (int round = 0; round < 2; ++round) {
    char* buffer = NewZeros(4096);
    char* data = NewPinned(4096);
    OK(cudaMemcpy(data, buffer, 4096, cudaMemcpyDeviceToHost));
    OK(cudaFreeHost(data));
    OK(cudaFree(buffer));
    OK(cudaDeviceReset());
  }
}
