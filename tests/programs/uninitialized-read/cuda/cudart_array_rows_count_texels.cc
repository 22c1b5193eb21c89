// Defect: The upload to an array counts the texels of a row instead of its bytes; the whole array
// is downloaded.
// Fix: The upload covers all bytes of the rows.
// EXPECT warning uninitialized-read cudaMemcpy2DFromArray at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT written_bytes=1536
// EXPECT-TEXT elements of 4 B
#include "common/cudart.h"

int main() {
  const size_t width = 48, height = 32, row = width * sizeof(float);
  static float data[width * height], result[width * height];
  const cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
  cudaArray_t image;
  // @CREATED
  OK(cudaMallocArray(&image, &format, width, height));
#ifdef DEFECT
  OK(cudaMemcpy2DToArray(image, 0, 0, data, row, width, height, cudaMemcpyHostToDevice));
#else
  OK(cudaMemcpy2DToArray(image, 0, 0, data, row, row, height, cudaMemcpyHostToDevice));
#endif
  // @HERE
  OK(cudaMemcpy2DFromArray(result, row, image, 0, 0, row, height, cudaMemcpyDeviceToHost));
  // A part of the rows may be all that a program writes.
  cudaArray_t part;
  OK(cudaMallocArray(&part, &format, width, height));
  OK(cudaMemcpy2DToArray(part, 0, 0, data, width, width, height, cudaMemcpyHostToDevice));
  OK(cudaMemcpy2DFromArray(result, width, part, 0, 0, width, height, cudaMemcpyDeviceToHost));
  OK(cudaFreeArray(part));
  OK(cudaFreeArray(image));
  Close();
}
