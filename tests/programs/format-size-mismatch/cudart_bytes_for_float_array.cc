// Defect: Bytes are uploaded to an array of floats. (Another block after theirs makes the read
// harmless.)
// Fix: Floats are uploaded to an array of floats.
// EXPECT error format-size-mismatch cudaMemcpy2DToArray at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT texel_bytes=4
// EXPECT-FACT block_texel_bytes=1
#include "common/cudart.h"

int main() {
#ifdef DEFECT
  typedef unsigned char Texel;
#else
  typedef float Texel;
#endif
  // @BLOCK
  Texel* data = (Texel*)calloc(64 * 64, sizeof(Texel));
  char* behind = (char*)calloc(1, 65536);
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t array;
  // @CREATED
  OK(cudaMallocArray(&array, &format, 64, 64, 0));
  // @HERE
  OK(cudaMemcpy2DToArray(array, 0, 0, data, 64 * 4, 64 * 4, 64, cudaMemcpyHostToDevice));
  OK(cudaFreeArray(array));
  free(behind);
  free(data);
  Close();
}
