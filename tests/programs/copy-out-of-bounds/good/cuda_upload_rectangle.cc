// The last row of a rectangle ends where its allocation ends.
#include "common/cuda.h"

int main() {
  Open();
  static char data[64 * 64];
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, 64 * 64));
  CUDA_MEMCPY2D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = data;
  upload.srcPitch = 64;
  upload.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  upload.dstDevice = buffer;
  upload.dstXInBytes = 0;
  upload.dstPitch = 64;
  upload.WidthInBytes = 60;
  upload.Height = 64;
  cuMemcpy2D(&upload);
  OK(cuMemFree(buffer));
  Close();
}
