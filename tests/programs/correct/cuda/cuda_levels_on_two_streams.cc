// Levels of one mipmapped array, and rows of one array, are filled on two streams at once: each has
// its own part.
#include "common/cuda.h"

static void Fill(CUarray array, size_t row, size_t rows, size_t width, const char* data,
                 CUstream stream) {
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = data;
  copy.srcPitch = width;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.dstY = row;
  copy.WidthInBytes = width;
  copy.Height = rows;
  OK(cuMemcpy2DAsync(&copy, stream));
}

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  char* data = NewPinned(4096);
  CUDA_ARRAY3D_DESCRIPTOR shape = {};
  shape.Width = shape.Height = 64;
  shape.Format = CU_AD_FORMAT_UNSIGNED_INT8;
  shape.NumChannels = 1;
  CUmipmappedArray mipmap;
  OK(cuMipmappedArrayCreate(&mipmap, &shape, 3));
  CUarray levels[3];
  for (unsigned i = 0; i < 3; ++i) OK(cuMipmappedArrayGetLevel(&levels[i], mipmap, i));
  CUarray array;
  OK(cuArray3DCreate(&array, &shape));
  for (int round = 0; round < 2; ++round) {
    Fill(levels[0], 0, 64, 64, data, first);
    Fill(levels[1], 0, 32, 32, data, second);
    Fill(levels[2], 0, 16, 16, data, first);
    Fill(array, 0, 32, 64, data, first);
    Fill(array, 32, 32, 64, data, second);
    OK(cuStreamSynchronize(first));
    OK(cuStreamSynchronize(second));
  }
  OK(cuArrayDestroy(array));
  OK(cuMipmappedArrayDestroy(mipmap));
  Close(data, second, first);
}
