// Defect: A box of three dimensions has one slice more than its destination.
// Fix: A box of three dimensions has as many slices as its destination.
// EXPECT error copy-out-of-bounds cuMemcpy3D_v2 at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  static char data[32 * 32 * 32];
  CUdeviceptr buffer;
#ifdef DEFECT
  const size_t slices = 31;
#else
  const size_t slices = 32;
#endif
  // @CREATED
  OK(cuMemAlloc(&buffer, 32 * 32 * slices));
  CUDA_MEMCPY3D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = data;
  upload.srcPitch = 32;
  upload.srcHeight = 32;
  upload.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  upload.dstDevice = buffer;
  upload.dstPitch = 32;
  upload.dstHeight = 32;
  upload.WidthInBytes = 32;
  upload.Height = 32;
  upload.Depth = 32;
  // @HERE
  cuMemcpy3D(&upload);
  Close(buffer);
}
