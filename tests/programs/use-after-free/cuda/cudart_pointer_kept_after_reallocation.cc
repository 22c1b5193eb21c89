// Defect: A buffer grows, and an old pointer to it is downloaded.
// Fix: A buffer grows, and the new pointer to it is downloaded.
// EXPECT error use-after-free cudaMemcpy at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
#include "common/cudart.h"

int main() {
  static char result[65536];
  char *buffer, *bigger;
  // @CREATED
  OK(cudaMalloc((void**)&buffer, 65536));
  OK(cudaMemset(buffer, 0, 65536));
  OK(cudaMalloc((void**)&bigger, 8 << 20));
  OK(cudaMemset(bigger, 0, 8 << 20));
  OK(cudaMemcpy(bigger, buffer, 65536, cudaMemcpyDeviceToDevice));
  // @RELEASED
  OK(cudaFree(buffer));
#ifdef DEFECT
  char* kept = buffer;
#else
  char* kept = bigger;
#endif
  // @HERE
  cudaMemcpy(result, kept, sizeof(result), cudaMemcpyDeviceToHost);
  OK(cudaFree(bigger));
  Close();
}
