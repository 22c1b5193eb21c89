// Defect: Rows are uploaded to pitched memory as one block, and downloaded with the pitch.
// Fix: Rows are uploaded with the pitch.
// EXPECT warning uninitialized-read cudaMemcpy2D at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT size_bytes=16000
#include "common/cudart.h"

int main() {
  const size_t row = 1000, rows = 16;
  static char data[row * rows], result[row * rows];
  void* image;
  size_t pitch;
  // @CREATED
  OK(cudaMallocPitch(&image, &pitch, row, rows));
#ifdef DEFECT
  OK(cudaMemcpy(image, data, row * rows, cudaMemcpyHostToDevice));
#else
  OK(cudaMemcpy2D(image, pitch, data, row, row, rows, cudaMemcpyHostToDevice));
#endif
  // @HERE
  OK(cudaMemcpy2D(result, row, image, pitch, row, rows, cudaMemcpyDeviceToHost));
  OK(cudaFree(image));
  Close();
}
