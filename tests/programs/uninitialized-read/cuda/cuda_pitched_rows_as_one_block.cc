// Defect: Rows are written with the pitch of the allocation, and downloaded as one block.
// Fix: Rows are downloaded with the pitch.
// EXPECT warning uninitialized-read cuMemcpyDtoH_v2 at HERE
// EXPECT-FACT size_bytes=16000
#include "common/cuda.h"

int main() {
  Open();
  const size_t row = 1000, rows = 16;
  static char result[row * rows];
  CUdeviceptr image;
  size_t pitch;
  OK(cuMemAllocPitch(&image, &pitch, row, rows, 4));
  OK(cuMemsetD2D8(image, pitch, 1, row, rows));
#ifdef DEFECT
  // @HERE
  OK(cuMemcpyDtoH(result, image, row * rows));
#else
  CUDA_MEMCPY2D back = {};
  back.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  back.srcDevice = image;
  back.srcPitch = pitch;
  back.dstMemoryType = CU_MEMORYTYPE_HOST;
  back.dstHost = result;
  back.dstPitch = row;
  back.WidthInBytes = row;
  back.Height = rows;
  OK(cuMemcpy2D(&back));
#endif
  Close(image);
}
