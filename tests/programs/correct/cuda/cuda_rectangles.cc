// Rectangles, boxes and lines of memory and arrays, up to the last byte, and side by side on two
// streams.
#include "common/cuda.h"

// Rectangles and boxes between host, device and arrays, with offsets and pitches that reach the
// last byte and no further.
static void UpToTheLastByte() {
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
  Release(array);
}

// Two streams fill the left and the right half of a pitched plane at once, as rows of one are
// between rows of the other; only what was written is read. Copies of nothing, and a last row
// without its padding.
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

static void SideBySide() {
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
  Release(tight, result, data, right, left);
}

// Levels of one mipmapped array, and rows of one array, are filled on two streams at once: each has
// its own part.
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

static void LevelsOnTwoStreams() {
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
  Release(data, second, first);
}

// Copies of rectangles leave out the pitches of tight rows. The driver takes them.
static void PitchesOfZero() {
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
  Release(memory, image);
}

// Bytes go round through lines of arrays, from host and device and back, by the calls for lines.
static void LineByLine() {
  CUDA_ARRAY_DESCRIPTOR shape = {1024, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  CUarray first, second;
  OK(cuArrayCreate(&first, &shape));
  OK(cuArrayCreate(&second, &shape));
  CUstream stream = NewStream();
  CUdeviceptr buffer = NewMemory(1024);
  unsigned char data[1024], result[1024] = {};
  for (int i = 0; i < 1024; ++i) data[i] = (unsigned char)(i * 7);
  OK(cuMemcpyHtoA(first, 0, data, 512));
  OK(cuMemcpyHtoA(first, 512, data + 512, 512));
  OK(cuMemcpyAtoA(second, 256, first, 0, 768));
  OK(cuMemcpyAtoA(second, 0, first, 768, 256));
  OK(cuMemcpyAtoD(buffer, second, 256, 768));
  OK(cuMemcpyAtoD(buffer + 768, second, 0, 256));
  OK(cuMemcpyDtoA(second, 0, buffer, 1024));
  OK(cuCtxSynchronize());
  OK(cuMemcpyAtoHAsync(result, second, 0, 1024, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(memcmp(result, data, 1024) == 0);
  Release(buffer, stream, second, first);
}

int main() {
  Open();
  UpToTheLastByte();
  SideBySide();
  LevelsOnTwoStreams();
  PitchesOfZero();
  LineByLine();
  Close();
}
