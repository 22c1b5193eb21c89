// Defect: Copies reach past the last column, row, slice or level of an array.
// Fix: The copy ends with the array.
#include "common/cuda.h"

// Defect: An upload to a one-dimensional array reaches past its width.
// Fix: An upload to a one-dimensional array ends at its width.
// EXPECT error image-region-out-of-bounds cuMemcpyHtoA_v2 at HERE
// EXPECT-PARTY allocation at CREATED
static void ArrayRow() {
  static float data[1024];
  CUDA_ARRAY_DESCRIPTOR shape = {1024, 0, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  // @CREATED
  OK(cuArrayCreate(&array, &shape));
#ifdef DEFECT
  const size_t offset = 16;
#else
  const size_t offset = 0;
#endif
  // @HERE
  cuMemcpyHtoA(array, offset, data, sizeof(data));
  Release(array);
}

// Defect: A copy into an array begins one row too low, so that its last row falls out of the array.
// Fix: A copy into an array begins at its first row.
// EXPECT error image-region-out-of-bounds cuMemcpy2D_v2 at HERE_2
// EXPECT-PARTY allocation at CREATED_2
static void OneRowTooMany() {
  static float data[64 * 64];
  CUDA_ARRAY_DESCRIPTOR shape = {64, 64, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  // @CREATED_2
  OK(cuArrayCreate(&array, &shape));
  CUDA_MEMCPY2D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = data;
  upload.srcPitch = 64 * sizeof(float);
  upload.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  upload.dstArray = array;
#ifdef DEFECT
  upload.dstY = 1;
#else
  upload.dstY = 0;
#endif
  upload.WidthInBytes = 64 * sizeof(float);
  upload.Height = 64;
  // @HERE_2
  cuMemcpy2D(&upload);
  Release(array);
}

// Defect: A volume is downloaded with the slices of another volume.
// Fix: A volume is downloaded with its own slices.
// EXPECT error image-region-out-of-bounds cuMemcpy3D_v2 at HERE_3
// EXPECT-PARTY allocation at CREATED_3
static void SlicesOfAnotherVolume() {
  static unsigned char data[16 * 16 * 16], result[16 * 16 * 16];
  CUDA_ARRAY3D_DESCRIPTOR shape = {16, 16, 8, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0};
  CUarray array;
  // @CREATED_3
  OK(cuArray3DCreate(&array, &shape));
  CUDA_MEMCPY3D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = data;
  upload.srcPitch = 16;
  upload.srcHeight = 16;
  upload.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  upload.dstArray = array;
  upload.WidthInBytes = 16;
  upload.Height = 16;
  upload.Depth = 8;
  OK(cuMemcpy3D(&upload));
  CUDA_MEMCPY3D download = {};
  download.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  download.srcArray = array;
  download.dstMemoryType = CU_MEMORYTYPE_HOST;
  download.dstHost = result;
  download.dstPitch = 16;
  download.dstHeight = 16;
  download.WidthInBytes = 16;
  download.Height = 16;
#ifdef DEFECT
  download.Depth = 16;
#else
  download.Depth = 8;
#endif
  // @HERE_3
  cuMemcpy3D(&download);
  Release(array);
}

// Defect: The second level of a mipmapped array is filled with an image as high as the first.
// Fix: The image has the size of the second level.
// EXPECT error image-region-out-of-bounds cuMemcpy2D_v2 at HERE_4
static void WholeImageIntoALevel() {
  static unsigned char data[64 * 64];
  CUDA_ARRAY3D_DESCRIPTOR shape = {64, 64, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0};
  CUmipmappedArray pyramid;
  // @CREATED_4
  OK(cuMipmappedArrayCreate(&pyramid, &shape, 3));
  CUarray level;
  OK(cuMipmappedArrayGetLevel(&level, pyramid, 1));
  CUDA_MEMCPY2D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = data;
  upload.srcPitch = 64;
  upload.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  upload.dstArray = level;
  upload.WidthInBytes = 32;
#ifdef DEFECT
  upload.Height = 64;
#else
  upload.Height = 32;
#endif
  // @HERE_4
  cuMemcpy2D(&upload);
  OK(cuMipmappedArrayDestroy(pyramid));
}

int main() {
  Open();
  ArrayRow();
  OneRowTooMany();
  SlicesOfAnotherVolume();
  WholeImageIntoALevel();
  Close();
}
