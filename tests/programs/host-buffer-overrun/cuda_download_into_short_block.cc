// Defect: The host block of a download is shorter than the download. (The page after the block
// makes the overrun harmless.)
// Fix: The host block of a download is as long as the download.
// EXPECT error host-buffer-overrun cuMemcpyDtoH_v2 at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT needed_bytes=261888
// EXPECT-FACT block_bytes=261632
#include <malloc.h>

#include "common/cuda.h"

int main() {
  mallopt(M_MMAP_THRESHOLD, 64 * 1024);  // a block of its own pages
  Open();
  enum { bytes = 256 * 1024 - 256 };
#ifdef DEFECT
  const size_t block = bytes - 256;
#else
  const size_t block = bytes;
#endif
  // @BLOCK
  char* result = (char*)malloc(block);
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, bytes));
  OK(cuMemsetD8(buffer, 1, bytes));
  // @HERE
  OK(cuMemcpyDtoH(result, buffer, bytes));
  OK(cuMemFree(buffer));
  free(result);
  Close();
}
