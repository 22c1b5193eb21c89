// Defect: The host block of a download ends where its last row begins. (The page after the block
// makes the overrun harmless.)
// Fix: The host block of a download ends where its last row ends.
// EXPECT error host-buffer-overrun cuMemcpy2D_v2 at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT needed_bytes=261760
#include <malloc.h>

#include "common/cuda.h"

int main() {
  mallopt(M_MMAP_THRESHOLD, 64 * 1024);  // a block of its own pages
  Open();
#ifdef DEFECT
  const size_t block = 256 * 1022;
#else
  const size_t block = 256 * 1022 + 128;
#endif
  // @BLOCK
  char* result = (char*)malloc(block);
  CUdeviceptr buffer = NewZeros(128 * 1023);
  CUDA_MEMCPY2D download = {};
  download.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  download.srcDevice = buffer;
  download.srcPitch = 128;
  download.dstMemoryType = CU_MEMORYTYPE_HOST;
  download.dstHost = result;
  download.dstPitch = 256;
  download.WidthInBytes = 128;
  download.Height = 1023;
  // @HERE
  cuMemcpy2D(&download);
  OK(cuMemFree(buffer));
  free(result);
  Close();
}
