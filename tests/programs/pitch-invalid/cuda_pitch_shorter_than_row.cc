// Defect: The pitch of the device memory counts elements where it should count bytes, and is
// shorter than a row.
// Fix: The pitch of the device memory counts bytes.
// EXPECT error pitch-invalid cuMemcpy2D_v2 at HERE
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
#ifdef DEFECT
  upload.dstPitch = 64;
#else
  upload.dstPitch = 64 * sizeof(float);
#endif
  upload.WidthInBytes = 64 * sizeof(float);
  upload.Height = 64;
  // @HERE
  cuMemcpy2D(&upload);
  Close(buffer);
}
