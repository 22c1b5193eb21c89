// Floats are uploaded to an array of floats by the old call.
#include "common/cudart.h"

int main() {
  typedef float Texel;
  Texel* data = (Texel*)calloc(64 * 64, sizeof(Texel));
  char* behind = (char*)calloc(1, 65536);
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t array;
  OK(cudaMallocArray(&array, &format, 64, 64, 0));
  OK(cudaMemcpyToArray(array, 0, 0, data, 64 * 64 * 4, cudaMemcpyHostToDevice));
  OK(cudaFreeArray(array));
  free(behind);
  free(data);
  Close();
}
