// Defect: The upload of a rectangle counts elements a row instead of bytes. A kernel that gets a pitch of 64 bits, which could
// be an address, runs before whole rows are downloaded.
// Fix: The upload of a rectangle covers all bytes of the rows that are downloaded.
// EXPECT warning uninitialized-read cuMemcpy2D_v2 at HERE
// EXPECT-FACT written_bytes=4000
#include "common/cuda_machine_code.h"

int main() {
  Open();
  const size_t columns = 250, rows = 16, row = columns * sizeof(float);
  static float data[columns * rows], result[columns * rows];
  CUdeviceptr image, other;
  size_t pitch;
  OK(cuMemAllocPitch(&image, &pitch, row, rows, 4));
  OK(cuMemAllocPitch(&other, &pitch, row, rows, 4));
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = data;
  copy.srcPitch = row;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = image;
  copy.dstPitch = pitch;
#ifdef DEFECT
  copy.WidthInBytes = columns;
#else
  copy.WidthInBytes = row;
#endif
  copy.Height = rows;
  OK(cuMemcpy2D(&copy));
  int width = columns, height = rows;
  void* arguments[] = {&other, &pitch, &width, &height};
  OK(cuLaunchKernel(CodeKernel(CODE_PITCHED), 8, 4, 1, 32, 4, 1, 0, nullptr, arguments, nullptr));
  CUDA_MEMCPY2D back = {};
  back.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  back.srcDevice = image;
  back.srcPitch = pitch;
  back.dstMemoryType = CU_MEMORYTYPE_HOST;
  back.dstHost = result;
  back.dstPitch = row;
  back.WidthInBytes = row;
  back.Height = rows;
  // @HERE
  OK(cuMemcpy2D(&back));
  Close(other, image);
}
