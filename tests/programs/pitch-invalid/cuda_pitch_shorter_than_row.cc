// Defect: Pitches of a copy, of a fill and of a texture are too short.
// Fix: The pitch holds a row, and is a multiple of what the device needs.
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

// Defect: The rows of a texture follow each other without the gap that the device needs.
// Fix: The rows of a texture are as far apart as the device needs.
// EXPECT error pitch-invalid cuTexObjectCreate at HERE_3
// EXPECT-PARTY allocation at CREATED
// EXPECT-TEXT is not a multiple of
static void PitchOfTexture() {
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 65536));
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_PITCH2D;
  resource.res.pitch2D.devPtr = buffer;
  resource.res.pitch2D.format = CU_AD_FORMAT_FLOAT;
  resource.res.pitch2D.numChannels = 1;
  resource.res.pitch2D.width = 65;
  resource.res.pitch2D.height = 32;
#ifdef DEFECT
  resource.res.pitch2D.pitchInBytes = 65 * sizeof(float);
#else
  resource.res.pitch2D.pitchInBytes = 512;
#endif
  CUDA_TEXTURE_DESC sampling = {};
  CUtexObject texture;
  // @HERE_3
  if (cuTexObjectCreate(&texture, &resource, &sampling, nullptr) == CUDA_SUCCESS)
    OK(cuTexObjectDestroy(texture));
  Release(buffer);
}

int main() {
  Open();
  PitchShorterThanRow();
  PitchOfFill();
  PitchOfTexture();
  Close();
}
