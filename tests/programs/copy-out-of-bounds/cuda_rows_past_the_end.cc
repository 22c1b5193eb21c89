// Defect: Copies of rows and slices reach past the end of their allocations.
// Fix: The copy ends with the allocation.
#include "common/cuda.h"

// Defect: A box of three dimensions has one slice more than its destination.
// Fix: A box of three dimensions has as many slices as its destination.
// EXPECT error copy-out-of-bounds cuMemcpy3D_v2 at HERE
// EXPECT-PARTY allocation at CREATED
static void Box() {
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
  Release(buffer);
}

// Defect: The last row of a rectangle begins inside of its allocation and ends after it.
// Fix: The last row of a rectangle ends where its allocation ends.
// EXPECT error copy-out-of-bounds cuMemcpy2D_v2 at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-FACT resource_bytes=4088
static void UploadRectangle() {
  static char data[64 * 64];
  CUdeviceptr buffer;
#ifdef DEFECT
  const size_t bytes = 64 * 64 - 8;
#else
  const size_t bytes = 64 * 64;
#endif
  // @CREATED_2
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
  // @HERE_2
  cuMemcpy2D(&upload);
  Release(buffer);
}

int main() {
  Open();
  Box();
  UploadRectangle();
  Close();
}
