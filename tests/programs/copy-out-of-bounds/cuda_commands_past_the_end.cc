// Defect: Copies and fills on the device, downloads, rectangles and a copy of a batch reach past
// the end of their memory.
// Fix: The copies and fills end inside of their memory.
#include "common/cuda.h"

// Defect: A copy on the device is longer than its destination.
// Fix: A copy on the device is as long as its destination.
// EXPECT error copy-out-of-bounds cuMemcpyDtoD_v2 at HERE
// EXPECT-PARTY allocation at CREATED
static void DeviceCopy() {
  CUdeviceptr from, to;
  OK(cuMemAlloc(&from, 8192));
#ifdef DEFECT
  const size_t bytes = 4096;
#else
  const size_t bytes = 8192;
#endif
  // @CREATED
  OK(cuMemAlloc(&to, bytes));
  OK(cuMemsetD8(from, 1, 8192));
  // @HERE
  cuMemcpyDtoD(to, from, 8192);
  Release(to, from);
}

// Defect: A fill counts in bytes where the call counts in words of four bytes.
// Fix: A fill counts in words, as the call does.
// EXPECT error copy-out-of-bounds cuMemsetD32_v2 at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-FACT size_bytes=16384
static void MemsetInWords() {
  CUdeviceptr buffer;
  // @CREATED_2
  OK(cuMemAlloc(&buffer, 4096));
#ifdef DEFECT
  const size_t words = 4096;
#else
  const size_t words = 4096 / 4;
#endif
  // @HERE_2
  cuMemsetD32(buffer, 0, words);
  Release(buffer);
}

// Defect: A fill of pitched memory has one row too many.
// Fix: A fill of pitched memory has as many rows as the memory.
// EXPECT error copy-out-of-bounds cuMemsetD2D8_v2 at HERE_3
// EXPECT-PARTY allocation at CREATED_3
static void FillOfPitchedMemory() {
  CUdeviceptr buffer;
  size_t pitch;
  // @CREATED_3
  OK(cuMemAllocPitch(&buffer, &pitch, 500, 32, 4));
#ifdef DEFECT
  const size_t rows = 33;
#else
  const size_t rows = 32;
#endif
  // @HERE_3
  cuMemsetD2D8(buffer, pitch, 0, 500, rows);
  Release(buffer);
}

// Defect: A download begins inside of an allocation and reaches past its end.
// Fix: A download begins inside of an allocation and ends at its end.
// EXPECT error copy-out-of-bounds cuMemcpyDtoH_v2 at HERE_4
// EXPECT-PARTY allocation at CREATED_4
// EXPECT-FACT offset=2048
// EXPECT-FACT size_bytes=4096
static void DownloadAtOffset() {
  static char result[4096];
  CUdeviceptr buffer;
  // @CREATED_4
  OK(cuMemAlloc(&buffer, 4096));
  OK(cuMemsetD8(buffer, 1, 4096));
#ifdef DEFECT
  const size_t bytes = 4096;
#else
  const size_t bytes = 2048;
#endif
  // @HERE_4
  cuMemcpyDtoH(result, buffer + 2048, bytes);
  Release(buffer);
}

// Defect: A download into page-locked memory is longer than the memory.
// Fix: A download into page-locked memory is as long as the memory.
// EXPECT error copy-out-of-bounds cuMemcpyDtoH_v2 at HERE_5
// EXPECT-PARTY allocation at CREATED_5
static void PageLockedMemory() {
  CUdeviceptr buffer = NewZeros(8192);
  void* result;
#ifdef DEFECT
  const size_t block = 8192 - 256;
#else
  const size_t block = 8192;
#endif
  // @CREATED_5
  OK(cuMemHostAlloc(&result, block, CU_MEMHOSTALLOC_PORTABLE));
  // @HERE_5
  cuMemcpyDtoH(result, buffer, 8192);
  Release(result, buffer);
}

// Defect: A box of three dimensions has one slice more than its destination.
// Fix: A box of three dimensions has as many slices as its destination.
// EXPECT error copy-out-of-bounds cuMemcpy3D_v2 at HERE_6
// EXPECT-PARTY allocation at CREATED_6
static void Box() {
  static char data[32 * 32 * 32];
  CUdeviceptr buffer;
#ifdef DEFECT
  const size_t slices = 31;
#else
  const size_t slices = 32;
#endif
  // @CREATED_6
  OK(cuMemAlloc(&buffer, 32 * 32 * slices));
  CUDA_MEMCPY3D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = data;
  upload.srcPitch = 32;
  upload.srcHeight = 32;
  upload.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  upload.dstDevice = buffer;
  upload.dstPitch = 32;
  upload.dstHeight = 32;
  upload.WidthInBytes = 32;
  upload.Height = 32;
  upload.Depth = 32;
  // @HERE_6
  cuMemcpy3D(&upload);
  Release(buffer);
}

// Defect: The last row of a rectangle begins inside of its allocation and ends after it.
// Fix: The last row of a rectangle ends where its allocation ends.
// EXPECT error copy-out-of-bounds cuMemcpy2D_v2 at HERE_7
// EXPECT-PARTY allocation at CREATED_7
// EXPECT-FACT resource_bytes=4088
static void UploadRectangle() {
  static char data[64 * 64];
  CUdeviceptr buffer;
#ifdef DEFECT
  const size_t bytes = 64 * 64 - 8;
#else
  const size_t bytes = 64 * 64;
#endif
  // @CREATED_7
  OK(cuMemAlloc(&buffer, bytes));
  CUDA_MEMCPY2D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = data;
  upload.srcPitch = 64;
  upload.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  upload.dstDevice = buffer;
  upload.dstPitch = 64;
  upload.WidthInBytes = 64;
  upload.Height = 64;
  // @HERE_7
  cuMemcpy2D(&upload);
  Release(buffer);
}

// Defect: One copy of a batch is longer than its destination.
// Fix: All copies of a batch fit.
// EXPECT error copy-out-of-bounds cuMemcpyBatchAsync_v2 at HERE_8
// EXPECT-PARTY allocation at CREATED_8
static void OneCopyOfABatch() {
  char* data = NewPinned(8192);
  CUdeviceptr first = NewMemory(4096), second;
  // @CREATED_8
  OK(cuMemAlloc(&second, 4096));
  CUstream stream = NewStream();
  CUdeviceptr targets[] = {first, second}, sources[] = {(CUdeviceptr)data, (CUdeviceptr)data};
#ifdef DEFECT
  size_t sizes[] = {4096, 8192}, all = 0;
#else
  size_t sizes[] = {4096, 4096}, all = 0;
#endif
  CUmemcpyAttributes attributes = {};
  attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  // @HERE_8
  cuMemcpyBatchAsync(targets, sources, sizes, 2, &attributes, &all, 1, stream);
  OK(cuStreamSynchronize(stream));
  Release(stream, second, first, data);
}

int main() {
  Open();
  DeviceCopy();
  MemsetInWords();
  FillOfPitchedMemory();
  DownloadAtOffset();
  PageLockedMemory();
  Box();
  UploadRectangle();
  OneCopyOfABatch();
  Close();
}
