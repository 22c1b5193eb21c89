// A buffer grows, and the new pointer to it is downloaded.
#include "common/cudart.h"

int main() {
  static char result[65536];
  char *buffer, *bigger;
  OK(cudaMalloc((void**)&buffer, 65536));
  OK(cudaMemset(buffer, 0, 65536));
  OK(cudaMalloc((void**)&bigger, 8 << 20));
  OK(cudaMemset(bigger, 0, 8 << 20));
  OK(cudaMemcpy(bigger, buffer, 65536, cudaMemcpyDeviceToDevice));
  OK(cudaFree(buffer));
  char* kept = bigger;
  cudaMemcpy(result, kept, sizeof(result), cudaMemcpyDeviceToHost);
  OK(cudaFree(bigger));
  Close();
}
