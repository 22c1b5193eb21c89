// Buffers are filled to a half, a quarter, an eighth or a sixteenth, by an upload from a block of
// the same capacity or by calls that count wide values, and are downloaded as a whole.
#include "common/cuda.h"

int main() {
  Open();
  static int16_t data[2048], result[2048];
  data[0] = 7;
  CUdeviceptr words = NewMemory(4096), rows;
  for (int parts = 2; parts <= 16; parts *= 2) {
    const CUdeviceptr part = NewMemory(sizeof data);
    OK(cuMemcpyHtoD(part, data, sizeof data / parts));
    OK(cuMemcpyDtoH(result, part, sizeof data));
    CHECK(result[0] == 7);
    OK(cuMemFree(part));
  }
  OK(cuMemsetD32(words, 3, 256));
  OK(cuMemcpyDtoH(result, words, 4096));
  CHECK(result[0] == 3);
  OK(cuMemFree(words));
  words = NewMemory(4096);
  OK(cuMemsetD16(words, 4, 1024));
  OK(cuMemcpyDtoH(result, words, 4096));
  CHECK(result[0] == 4);
  size_t pitch;
  OK(cuMemAllocPitch(&rows, &pitch, 400, 8, 4));
  OK(cuMemsetD2D32(rows, pitch, 5, 25, 8));
  CUDA_MEMCPY2D back = {};
  back.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  back.srcDevice = rows;
  back.srcPitch = pitch;
  back.dstMemoryType = CU_MEMORYTYPE_HOST;
  back.dstHost = result;
  back.dstPitch = 400;
  back.WidthInBytes = 400;
  back.Height = 8;
  OK(cuMemcpy2D(&back));
  CHECK(result[0] == 5);
  Close(rows, words);
}
