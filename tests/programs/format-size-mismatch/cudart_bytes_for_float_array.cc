// Defect: Bytes are uploaded to arrays of floats.
// Fix: The data has one float a texel.
#include "common/cudart.h"

// Defect: Bytes are uploaded to an array of floats. (Another block after theirs makes the read
// harmless.)
// Fix: Floats are uploaded to an array of floats.
// EXPECT error format-size-mismatch cudaMemcpy2DToArray at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT texel_bytes=4
// EXPECT-FACT block_texel_bytes=1
static void InRows() {
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

// Defect: Bytes are uploaded to an array of floats by the old call. (Another block after theirs
// makes the read harmless.)
// Fix: Floats are uploaded to an array of floats by the old call.
// EXPECT error format-size-mismatch cudaMemcpyToArray at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-PARTY host-block at BLOCK_2
static void AtOnce() {
#ifdef DEFECT
  typedef unsigned char Texel;
#else
  typedef float Texel;
#endif
  // @BLOCK_2
  Texel* data = (Texel*)calloc(64 * 64, sizeof(Texel));
  char* behind = (char*)calloc(1, 65536);
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t array;
  // @CREATED_2
  OK(cudaMallocArray(&array, &format, 64, 64, 0));
  // @HERE_2
  OK(cudaMemcpyToArray(array, 0, 0, data, 64 * 64 * 4, cudaMemcpyHostToDevice));
  OK(cudaFreeArray(array));
  free(behind);
  free(data);
  Close();
}

int main() {
  InRows();
  AtOnce();
}
