// Defect: The pitch of a rectangle counts elements where it should count bytes.
// Fix: The pitch of a rectangle counts bytes.
// EXPECT error pitch-invalid cudaMemcpy2D at HERE
#include "common/cudart.h"

int main() {
  static float data[64 * 64];
  char* buffer = NewZeros(sizeof(data));
#ifdef DEFECT
  const size_t pitch = 64;
#else
  const size_t pitch = 64 * sizeof(float);
#endif
  // @HERE
  cudaMemcpy2D(buffer, pitch, data, 64 * sizeof(float), 64 * sizeof(float), 64,
               cudaMemcpyHostToDevice);
  OK(cudaFree(buffer));
  Close();
}
