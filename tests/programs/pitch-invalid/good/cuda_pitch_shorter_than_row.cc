// The pitch of the device memory counts bytes.
#include "common/cuda.h"

int main() {
  Open();
  static float data[64 * 64];
  CUdeviceptr buffer = NewMemory(sizeof(data));
  CUDA_MEMCPY2D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = data;
  upload.srcPitch = 64 * sizeof(float);
  upload.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  upload.dstDevice = buffer;
  upload.dstPitch = 64 * sizeof(float);
  upload.WidthInBytes = 64 * sizeof(float);
  upload.Height = 64;
  cuMemcpy2D(&upload);
  OK(cuMemFree(buffer));
  Close();
}
