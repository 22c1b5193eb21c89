// Rectangles and boxes between host, device and arrays, with offsets and pitches that reach the
// last byte and no further.
#include "common/cuda.h"

int main() {
  Open();
  static unsigned char data[100 * 20], result[100 * 20];
  for (int i = 0; i < 2000; ++i) data[i] = i;
  CUdeviceptr buffer = NewMemory(100 * 19 + 40);
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = data;
  copy.srcXInBytes = 60;
  copy.srcPitch = 100;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = buffer;
  copy.dstPitch = 100;
  copy.WidthInBytes = 40;
  copy.Height = 20;
  OK(cuMemcpy2D(&copy));
  CUDA_MEMCPY2D back = {};
  back.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  back.srcDevice = buffer;
  back.srcPitch = 100;
  back.dstMemoryType = CU_MEMORYTYPE_HOST;
  back.dstHost = result;
  back.dstXInBytes = 60;
  back.dstPitch = 100;
  back.WidthInBytes = 40;
  back.Height = 20;
  OK(cuMemcpy2DUnaligned(&back));
  CHECK(result[60] == data[60] && result[1999] == data[1999]);
  OK(cuMemFree(buffer));
  CUDA_ARRAY_DESCRIPTOR shape = {50, 20, CU_AD_FORMAT_UNSIGNED_INT8, 2};
  CUarray array;
  OK(cuArrayCreate(&array, &shape));
  copy.srcXInBytes = 0;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = 100;
  OK(cuMemcpy2D(&copy));
  Close(array);
}
