// Defect: The host block of a download is shorter than the download. (The page after the block
// makes the overrun harmless.)
// Fix: The host block of a download is as long as the download.
// EXPECT error host-buffer-overrun cudaMemcpy at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT needed_bytes=261888
// EXPECT-FACT block_bytes=261632
#include <malloc.h>

#include "common/cudart.h"

int main() {
  mallopt(M_MMAP_THRESHOLD, 64 * 1024);  // a block of its own pages
  enum { bytes = 256 * 1024 - 256 };
#ifdef DEFECT
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
