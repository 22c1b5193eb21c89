// Defect: An array that nothing has written is copied to another one.
// Fix: An array is uploaded and copied to another one.
// EXPECT warning uninitialized-read cudaMemcpy2DArrayToArray at HERE
#include "common/cudart.h"

int main() {
  static float data[32 * 32], result[32 * 32];
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t plane, other;
  OK(cudaMallocArray(&plane, &format, 32, 32, 0));
  OK(cudaMallocArray(&other, &format, 32, 32, 0));
#ifndef DEFECT
  OK(cudaMemcpy2DToArray(plane, 0, 0, data, 32 * 4, 32 * 4, 32, cudaMemcpyHostToDevice));
#endif
  // @HERE
  OK(cudaMemcpy2DArrayToArray(other, 0, 0, plane, 0, 0, 32 * 4, 32, cudaMemcpyDeviceToDevice));
  OK(cudaMemcpy2DFromArray(result, 32 * 4, other, 0, 0, 32 * 4, 32, cudaMemcpyDeviceToHost));
  OK(cudaFreeArray(other));
  OK(cudaFreeArray(plane));
  Close();
}
