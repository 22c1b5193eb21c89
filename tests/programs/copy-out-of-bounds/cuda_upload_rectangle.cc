// Defect: The last row of a rectangle begins inside of its allocation and ends after it.
// Fix: The last row of a rectangle ends where its allocation ends.
// EXPECT error copy-out-of-bounds cuMemcpy2D_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT resource_bytes=4088
#include "common/cuda.h"

int main() {
  Open();
  static char data[64 * 64];
  CUdeviceptr buffer;
#ifdef DEFECT
  const size_t bytes = 64 * 64 - 8;
#else
  const size_t bytes = 64 * 64;
#endif
  // @CREATED
  OK(cuMemAlloc(&buffer, bytes));
  CUDA_MEMCPY2D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = data;
  upload.srcPitch = 64;
  upload.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  upload.dstDevice = buffer;
  upload.dstPitch = 64;
  upload.WidthInBytes = 64;
  upload.Height = 64;
  // @HERE
  cuMemcpy2D(&upload);
  Close(buffer);
}
