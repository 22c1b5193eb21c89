// Defect: A program moves the rows of an array down by copies whose boxes overlap.
// Fix: The boxes lie side by side.
// EXPECT error race cuMemcpy2D_v2 at ROWS
// EXPECT-PARTY allocation at CREATED
// EXPECT error race cuMemcpyAtoA_v2 at LINE
#include "common/cuda.h"

int main() {
  Open();
  static char texels[64 * 256];
  CUDA_ARRAY_DESCRIPTOR shape = {};
  shape.Width = shape.Height = 64;
  shape.Format = CU_AD_FORMAT_UNSIGNED_INT8;
  shape.NumChannels = 4;
  CUarray image, line;
  // @CREATED
  OK(cuArrayCreate(&image, &shape));
  shape.Height = 0;
  OK(cuArrayCreate(&line, &shape));
  CUDA_MEMCPY2D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = texels;
  upload.srcPitch = 256;
  upload.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  upload.dstArray = image;
  upload.WidthInBytes = 256;
  upload.Height = 64;
  OK(cuMemcpy2D(&upload));
  OK(cuMemcpyHtoA(line, 0, texels, 256));
  CUDA_MEMCPY2D move = {};
  move.srcMemoryType = move.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  move.srcArray = move.dstArray = image;
  move.WidthInBytes = 256;
  move.Height = 32;
#ifdef DEFECT
  move.dstY = 8;
  const size_t bytes = 128;
#else
  move.dstY = 32;
  const size_t bytes = 64;
#endif
  // @ROWS
  OK(cuMemcpy2D(&move));
  // @LINE
  OK(cuMemcpyAtoA(line, 64, line, 0, bytes));
  // Columns side by side.
  move.dstY = 0;
  move.dstXInBytes = 128;
  move.WidthInBytes = 128;
  move.Height = 64;
  OK(cuMemcpy2D(&move));
  OK(cuCtxSynchronize());
  Close(line, image);
}
