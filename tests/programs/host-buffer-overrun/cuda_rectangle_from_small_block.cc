// Defect: An upload of 10 rows has a larger pitch in the host memory than the block of malloc has room for. (A block behind it
// makes the overrun harmless.)
// Fix: The rows follow each other without gaps.
// EXPECT error host-buffer-overrun cuMemcpy2DUnaligned_v2 at HERE
// EXPECT-FACT needed_bytes=1108
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer = NewZeros(1000);
  char* rows = (char*)calloc(1000, 1);
  char* behind = (char*)malloc(1000);
  CUDA_MEMCPY2D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = rows;
#ifdef DEFECT
  upload.srcPitch = 112;
#else
  upload.srcPitch = 100;
#endif
  upload.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  upload.dstDevice = buffer;
  upload.dstPitch = 100;
  upload.WidthInBytes = 100;
  upload.Height = 10;
  // @HERE
  OK(cuMemcpy2DUnaligned(&upload));
  OK(cuMemFree(buffer));
  free(behind);
  free(rows);
  Close();
}
