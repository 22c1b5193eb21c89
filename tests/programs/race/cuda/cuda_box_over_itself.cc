// Defect: A program moves a box within an allocation by a copy whose source and target overlap.
// Fix: The box is copied to rows that it does not contain.
// EXPECT error race cuMemcpy3DAsync_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-TEXT reads 8 slices of 32 rows of 32 B from byte 0 and writes 8 slices of 32 rows of 32 B from byte 16
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr volume;
  // @CREATED
  OK(cuMemAlloc(&volume, 64 * 64 * 8));
  OK(cuMemsetD8Async(volume, 1, 64 * 64 * 8, stream));
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = copy.dstDevice = volume;
  copy.srcPitch = copy.dstPitch = 64;
  copy.srcHeight = copy.dstHeight = 64;
  copy.WidthInBytes = 32;
  copy.Height = 32;
  copy.Depth = 8;
#ifdef DEFECT
  copy.dstXInBytes = 16;
#else
  copy.dstY = 32;
#endif
  // @HERE
  OK(cuMemcpy3DAsync(&copy, stream));
  // Boxes side by side in each dimension, and bytes onto themselves.
  copy.dstXInBytes = 32;
  copy.dstY = 0;
  OK(cuMemcpy3DAsync(&copy, stream));
  copy.dstXInBytes = 0;
  OK(cuMemcpy3DAsync(&copy, stream));
  copy.Depth = 4;
  copy.dstZ = 4;
  OK(cuMemcpy3DAsync(&copy, stream));
  OK(cuStreamSynchronize(stream));
  Close(volume, stream);
}
