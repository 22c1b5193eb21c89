// Defect into_short_block: The host block of a download is shorter than the download. (The page
// after the block makes the overrun harmless.)
// EXPECT error host-buffer-overrun cudaMemcpy at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT needed_bytes=261888
// EXPECT-FACT block_bytes=261632
// Defect pitches_exchanged: A copy of rows gets the pitch of the device memory for the host memory,
// and vice versa.
// EXPECT error host-buffer-overrun cudaMemcpy2D at HERE_2
// EXPECT-TEXT exchange the pitches: with 100 B for the host memory and
// EXIT any
// Fix: The host blocks have the bytes of the copies.
#include <malloc.h>

#include "common/cudart.h"

// Fix: The host block of a download is as long as the download.
static void IntoShortBlock() {
  mallopt(M_MMAP_THRESHOLD, 64 * 1024);  // a block of its own pages
  enum { bytes = 256 * 1024 - 256 };
#ifdef DEFECT_into_short_block
  const size_t block = bytes - 256;
#else
  const size_t block = bytes;
#endif
  // @BLOCK
  char* result = (char*)malloc(block);
  char* buffer = NewZeros(bytes);
  // @HERE
  OK(cudaMemcpy(result, buffer, bytes, cudaMemcpyDeviceToHost));
  OK(cudaFree(buffer));
  free(result);
  Close();
}

// Fix: Each pointer has its own pitch.
static void PitchesExchanged() {
  constexpr size_t kWidth = 100, kRows = 32;
  void* image;
  size_t pitch;
  OK(cudaMallocPitch(&image, &pitch, kWidth, kRows));
  void* rows = calloc(kRows, kWidth);
#ifdef DEFECT_pitches_exchanged
  const size_t of_image = kWidth, of_rows = pitch;
#else
  const size_t of_image = pitch, of_rows = kWidth;
#endif
  // @HERE_2
  cudaMemcpy2D(image, of_image, rows, of_rows, kWidth, kRows, cudaMemcpyHostToDevice);
  free(rows);
  OK(cudaFree(image));
  Close();
}

int main() {
  IntoShortBlock();
  PitchesExchanged();
}
