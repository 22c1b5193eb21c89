// Rows are filled and the bytes between them are not; later copies take rows and padding in one
// piece, and nobody uses the padding.
#include "common/cuda.h"

int main() {
  Open();
  const size_t width = 100, rows = 16;
  CUdeviceptr image, copy;
  size_t pitch;
  OK(cuMemAllocPitch(&image, &pitch, width, rows, 4));
  OK(cuMemAllocPitch(&copy, &pitch, width, rows, 4));
  CUstream stream = NewStream();
  char *data = NewPinned(width * rows), *result = NewPinned(pitch * rows);
  memset(data, 7, width * rows);
  CUDA_MEMCPY2D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = data;
  upload.srcPitch = width;
  upload.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  upload.dstDevice = image;
  upload.dstPitch = pitch;
  upload.WidthInBytes = width;
  upload.Height = rows;
  for (int round = 0; round < 2; ++round) {
    if (round == 0) {
      OK(cuMemcpy2DAsync(&upload, stream));
    } else {
      OK(cuMemsetD2D8Async(image, pitch, 7, width, rows, stream));
    }
    OK(cuMemcpyDtoDAsync(copy, image, pitch * rows, stream));
    OK(cuMemcpyDtoHAsync(result, copy, pitch * rows, stream));
    OK(cuStreamSynchronize(stream));
    for (size_t row = 0; row < rows; ++row)
      CHECK(result[row * pitch] == 7 && result[row * pitch + width - 1] == 7);
  }
  Close(result, data, stream, copy, image);
}
