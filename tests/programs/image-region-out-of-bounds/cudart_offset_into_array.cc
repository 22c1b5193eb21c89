// Defect: A rectangle is copied to an offset in an array from which it reaches past its width.
// Fix: A rectangle is copied to the beginning of an array.
// EXPECT error image-region-out-of-bounds cudaMemcpy2DToArray at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cudart.h"

int main() {
  static float data[64 * 64];
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t array;
  // @CREATED
  OK(cudaMallocArray(&array, &format, 64, 64, 0));
#ifdef DEFECT
  const size_t offset = 4;
#else
  const size_t offset = 0;
#endif
  // @HERE
  cudaMemcpy2DToArray(array, offset, 0, data, 64 * 4, 64 * 4, 64, cudaMemcpyHostToDevice);
  OK(cudaFreeArray(array));
  Close();
}
