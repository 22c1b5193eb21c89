// Defect: A copy of rows gets the pitch of the device memory for the host memory, and vice versa.
// Fix: Each pointer has its own pitch.
// EXPECT error host-buffer-overrun cudaMemcpy2D at HERE
// EXPECT-TEXT exchange the pitches: with 100 B for the host memory and
// EXIT any
#include "common/cudart.h"

int main() {
  constexpr size_t kWidth = 100, kRows = 32;
  void* image;
  size_t pitch;
  OK(cudaMallocPitch(&image, &pitch, kWidth, kRows));
  void* rows = calloc(kRows, kWidth);
#ifdef DEFECT
  const size_t of_image = kWidth, of_rows = pitch;
#else
  const size_t of_image = pitch, of_rows = kWidth;
#endif
  // @HERE
  cudaMemcpy2D(image, of_image, rows, of_rows, kWidth, kRows, cudaMemcpyHostToDevice);
  free(rows);
  OK(cudaFree(image));
  Close();
}
