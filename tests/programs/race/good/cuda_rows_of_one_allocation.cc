// Two streams upload rectangles of one allocation that touch and do not overlap.
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
  right.dstXInBytes = 32;
  right.srcXInBytes = 32;
  OK(cuMemcpy2DAsync(&left, first));
  OK(cuMemcpy2DAsync(&right, second));
  OK(cuCtxSynchronize());
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(data));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  Close();
}
