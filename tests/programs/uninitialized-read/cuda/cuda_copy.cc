// Defect: Copies on the device, a download of an array, and downloads of rows and of the rest of an
// allocation read what nothing has written.
// Fix: All that is read is written before.
#include "common/cuda.h"

// Defect: Memory is copied on the device that nothing has written.
// Fix: Memory is filled and copied on the device.
// EXPECT warning uninitialized-read cuMemcpyDtoD_v2 at HERE
// EXPECT-PARTY allocation at CREATED
static void Copy() {
  CUdeviceptr from, to = NewMemory(4096);
  // @CREATED
  OK(cuMemAlloc(&from, 4096));
#ifndef DEFECT
  OK(cuMemsetD8(from, 0, 4096));
#endif
  // @HERE
  OK(cuMemcpyDtoD(to, from, 4096));
  OK(cuCtxSynchronize());
  Release(to, from);
}

// Defect: An array is downloaded that nothing has written.
// Fix: An array is uploaded and downloaded.
// EXPECT warning uninitialized-read cuMemcpyAtoH_v2 at HERE_2
// EXPECT-PARTY allocation at CREATED_2
static void Array() {
  static float data[1024];
  CUDA_ARRAY_DESCRIPTOR shape = {1024, 0, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  // @CREATED_2
  OK(cuArrayCreate(&array, &shape));
#ifndef DEFECT
  OK(cuMemcpyHtoA(array, 0, data, sizeof(data)));
#endif
  // @HERE_2
  OK(cuMemcpyAtoH(data, array, 0, sizeof(data)));
  Release(array);
}

// Defect: The half of an allocation is downloaded that the upload left out.
// Fix: The half of an allocation is downloaded that was uploaded.
// EXPECT warning uninitialized-read cuMemcpyDtoHAsync_v2 at HERE_3
// EXPECT-PARTY allocation at CREATED_3
static void RestOfMemory() {
  CUstream stream = NewStream();
  char *data = NewPinned(2048), *result = NewPinned(2048);
  CUdeviceptr buffer;
  // @CREATED_3
  OK(cuMemAlloc(&buffer, 4096));
  OK(cuMemcpyHtoDAsync(buffer, data, 2048, stream));
#ifdef DEFECT
  const size_t offset = 2048;
#else
  const size_t offset = 0;
#endif
  // @HERE_3
  OK(cuMemcpyDtoHAsync(result, buffer + offset, 2048, stream));
  OK(cuStreamSynchronize(stream));
  Release(buffer, result, data, stream);
}

// Defect: The upload of a rectangle counts elements a row instead of bytes; whole rows are
// downloaded.
// Fix: The upload of a rectangle covers all bytes of the rows that are downloaded.
// EXPECT warning uninitialized-read cuMemcpy2D_v2 at HERE_4
// EXPECT-FACT written_bytes=4000
static void RowsCountElements() {
  const size_t columns = 250, rows = 16, row = columns * sizeof(float);
  static float data[columns * rows], result[columns * rows];
  CUdeviceptr image;
  size_t pitch;
  OK(cuMemAllocPitch(&image, &pitch, row, rows, 4));
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = data;
  copy.srcPitch = row;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = image;
  copy.dstPitch = pitch;
#ifdef DEFECT
  copy.WidthInBytes = columns;
#else
  copy.WidthInBytes = row;
#endif
  copy.Height = rows;
  OK(cuMemcpy2D(&copy));
  CUDA_MEMCPY2D back = {};
  back.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  back.srcDevice = image;
  back.srcPitch = pitch;
  back.dstMemoryType = CU_MEMORYTYPE_HOST;
  back.dstHost = result;
  back.dstPitch = row;
  back.WidthInBytes = row;
  back.Height = rows;
  // @HERE_4
  OK(cuMemcpy2D(&back));
  Release(image);
}

int main() {
  Open();
  Copy();
  Array();
  RestOfMemory();
  RowsCountElements();
  Close();
}
