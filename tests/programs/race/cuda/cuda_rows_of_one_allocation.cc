// Defect: Two streams upload rectangles of one allocation that share a column.
// Fix: Two streams upload rectangles of one allocation that touch and do not overlap.
// EXPECT error race cuMemcpy2DAsync_v2 at HERE
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=WAW
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  char* data = NewPinned(64 * 64);
  CUdeviceptr buffer = NewMemory(64 * 64);
  CUDA_MEMCPY2D left = {};
  left.srcMemoryType = CU_MEMORYTYPE_HOST;
  left.srcHost = data;
  left.srcPitch = 64;
  left.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  left.dstDevice = buffer;
  left.dstPitch = 64;
  left.WidthInBytes = 32;
  left.Height = 64;
  CUDA_MEMCPY2D right = left;
#ifdef DEFECT
  right.dstXInBytes = 31;
#else
  right.dstXInBytes = 32;
#endif
  right.srcXInBytes = 32;
  // @FIRST
  OK(cuMemcpy2DAsync(&left, first));
  // @HERE
  OK(cuMemcpy2DAsync(&right, second));
  OK(cuCtxSynchronize());
  Close(buffer, data, second, first);
}
