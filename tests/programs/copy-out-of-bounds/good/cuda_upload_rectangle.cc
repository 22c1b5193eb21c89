// The last row of a rectangle ends where its allocation ends.
#include "common/cuda.h"

int main() {
  Open();
  static char data[64 * 64];
  CUdeviceptr buffer;
  const size_t bytes = 64 * 64;
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
  cuMemcpy2D(&upload);
  OK(cuMemFree(buffer));
  Close();
}
