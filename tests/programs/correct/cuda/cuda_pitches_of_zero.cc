// Copies of rectangles leave out the pitches of tight rows. The driver takes them.
#include "common/cuda.h"

int main() {
  Open();
  static char rows[64 * 256], result[64 * 256];
  for (size_t i = 0; i < sizeof(rows); ++i) rows[i] = (char)i;
  CUDA_ARRAY_DESCRIPTOR shape = {};
  shape.Width = shape.Height = 64;
  shape.Format = CU_AD_FORMAT_UNSIGNED_INT8;
  shape.NumChannels = 4;
  CUarray image;
  OK(cuArrayCreate(&image, &shape));
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = rows;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = image;
  copy.WidthInBytes = 256;
  copy.Height = 64;
  OK(cuMemcpy2D(&copy));
  CUdeviceptr memory = NewMemory(sizeof(rows));
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstArray = nullptr;
  copy.dstDevice = memory;
  OK(cuMemcpy2D(&copy));
  CUDA_MEMCPY2D back = {};
  back.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  back.srcArray = image;
  back.dstMemoryType = CU_MEMORYTYPE_HOST;
  back.dstHost = result;
  back.dstPitch = 256;
  back.WidthInBytes = 256;
  back.Height = 64;
  OK(cuMemcpy2D(&back));
  OK(cuMemcpyDtoH(result, memory, sizeof(result)));
  Close(memory, image);
}
