// Defect: The pitch of a copy and that of a fill are shorter than a row.
// Fix: The pitches are those of the memory.
#include "common/cuda.h"

// Defect: The pitch of the device memory counts elements where it should count bytes, and is
// shorter than a row.
// Fix: The pitch of the device memory counts bytes.
// EXPECT error pitch-invalid cuMemcpy2D_v2 at HERE
static void PitchShorterThanRow() {
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
  Release(buffer);
}

// Defect: The pitch of a fill is shorter than its rows.
// Fix: The pitch of a fill is that of the memory.
// EXPECT error pitch-invalid cuMemsetD2D32_v2 at HERE_2
static void PitchOfFill() {
  CUdeviceptr buffer;
  size_t pitch;
  OK(cuMemAllocPitch(&buffer, &pitch, 256, 16, 4));
#ifdef DEFECT
  pitch = 64;
#endif
  // @HERE_2
  cuMemsetD2D32(buffer, pitch, 0, 64, 16);
  Release(buffer);
}

int main() {
  Open();
  PitchShorterThanRow();
  PitchOfFill();
  Close();
}
