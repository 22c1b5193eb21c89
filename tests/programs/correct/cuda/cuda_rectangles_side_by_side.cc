// Two streams fill the left and the right half of a pitched plane at once, as rows of one are
// between rows of the other; only what was written is read. Copies of nothing, and a last row
// without its padding.
#include "common/cuda.h"

static CUDA_MEMCPY2D Part(CUdeviceptr plane, size_t pitch, size_t x, char* host) {
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host;
  copy.srcPitch = 128;
  copy.srcXInBytes = x;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = plane;
  copy.dstPitch = pitch;
  copy.dstXInBytes = x;
  copy.WidthInBytes = 64;
  copy.Height = 16;
  return copy;
}

static CUDA_MEMCPY2D Back(const CUDA_MEMCPY2D& there, char* host) {
  CUDA_MEMCPY2D copy = there;
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = there.dstDevice;
  copy.srcPitch = there.dstPitch;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = host;
  copy.dstPitch = there.srcPitch;
  return copy;
}

int main() {
  Open();
  CUstream left = NewStream(), right = NewStream();
  char *data = NewPinned(128 * 16), *result = NewPinned(128 * 16);
  for (int i = 0; i < 128 * 16; ++i) data[i] = (char)(i % 100);
  CUdeviceptr plane;
  size_t pitch;
  OK(cuMemAllocPitch(&plane, &pitch, 128, 16, 4));
  const CUDA_MEMCPY2D up_left = Part(plane, pitch, 0, data),
                      up_right = Part(plane, pitch, 64, data);
  OK(cuMemcpy2DAsync(&up_left, left));
  OK(cuMemcpy2DAsync(&up_right, right));
  const CUDA_MEMCPY2D down_left = Back(up_left, result), down_right = Back(up_right, result);
  OK(cuMemcpy2DAsync(&down_left, left));
  OK(cuMemcpy2DAsync(&down_right, right));
  OK(cuStreamSynchronize(left));
  OK(cuStreamSynchronize(right));
  CHECK(memcmp(data, result, 128 * 16) == 0);
  OK(cuMemFree(plane));

  // 16 rows of 128 B whose last one is 64 B: the allocation ends with it.
  CUdeviceptr tight = NewMemory(128 * 15 + 64);
  CUDA_MEMCPY2D up = Part(tight, 128, 0, data);
  OK(cuMemcpy2DAsync(&up, left));
  CUDA_MEMCPY2D down = Back(up, result);
  OK(cuMemcpy2DAsync(&down, left));
  OK(cuMemsetD2D8Async(tight + 64, 128, 3, 64, 15, left));
  OK(cuStreamSynchronize(left));
  CHECK(result[128 * 15] == data[128 * 15]);
  up.Height = 0;
  OK(cuMemcpy2DAsync(&up, left));
  OK(cuMemcpyHtoDAsync(tight, data, 0, left));
  OK(cuMemsetD8Async(tight, 0, 0, left));
  OK(cuStreamSynchronize(left));
  Close(tight, result, data, right, left);
}
