// The pitch of a rectangle counts bytes.
#include "common/cudart.h"

int main() {
  static float data[64 * 64];
  char* buffer = NewZeros(sizeof(data));
  const size_t pitch = 64 * sizeof(float);
  cudaMemcpy2D(buffer, pitch, data, 64 * sizeof(float), 64 * sizeof(float), 64,
               cudaMemcpyHostToDevice);
  OK(cudaFree(buffer));
  Close();
}
