// A rectangle is copied to the beginning of an array.
#include "common/cudart.h"

int main() {
  static float data[64 * 64];
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t array;
  OK(cudaMallocArray(&array, &format, 64, 64, 0));
  const size_t offset = 0;
  cudaMemcpy2DToArray(array, offset, 0, data, 64 * 4, 64 * 4, 64, cudaMemcpyHostToDevice);
  OK(cudaFreeArray(array));
  Close();
}
