// Defect: A volume is downloaded with the slices of another volume.
// Fix: A volume is downloaded with its own slices.
// EXPECT error image-region-out-of-bounds cuMemcpy3D_v2 at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  static unsigned char data[16 * 16 * 16], result[16 * 16 * 16];
  CUDA_ARRAY3D_DESCRIPTOR shape = {16, 16, 8, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0};
  CUarray array;
  // @CREATED
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
  // @HERE
  cuMemcpy3D(&download);
  Close(array);
}
