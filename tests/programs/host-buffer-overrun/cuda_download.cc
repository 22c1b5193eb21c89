// Defect: The host block of a download is shorter than the download.
// Fix: The block is as long as the download.
#include <malloc.h>

#include "common/cuda.h"

// Defect: The host block of a download is shorter than the download. (The page after the block
// makes the overrun harmless.)
// Fix: The host block of a download is as long as the download.
// EXPECT error host-buffer-overrun cuMemcpyDtoH_v2 at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT needed_bytes=261888
// EXPECT-FACT block_bytes=261632
static void DownloadIntoShortBlock() {
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

// Defect: The host block of a download ends where its last row begins. (The page after the block
// makes the overrun harmless.)
// Fix: The host block of a download ends where its last row ends.
// EXPECT error host-buffer-overrun cuMemcpy2D_v2 at HERE_2
// EXPECT-PARTY host-block at BLOCK_2
// EXPECT-FACT needed_bytes=261760
static void DownloadRectangle() {
  mallopt(M_MMAP_THRESHOLD, 64 * 1024);  // a block of its own pages
  Open();
#ifdef DEFECT
  const size_t block = 256 * 1022;
#else
  const size_t block = 256 * 1022 + 128;
#endif
  // @BLOCK_2
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
  // @HERE_2
  cuMemcpy2D(&download);
  OK(cuMemFree(buffer));
  free(result);
  Close();
}

int main() {
  DownloadIntoShortBlock();
  DownloadRectangle();
}
