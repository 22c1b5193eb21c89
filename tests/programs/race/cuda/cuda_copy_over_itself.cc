// Defect: Copies within one array or one allocation have a source and a target that overlap.
// Fix: The copies go by way of other memory, or in parts that do not overlap.
#include "common/cuda.h"

// Defect: A program moves the content of an allocation down by a copy whose ranges overlap.
// Fix: The content is copied through a second allocation.
// EXPECT error race cuMemcpyDtoDAsync_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT overlap_bytes=3072
static void RangesOverItself() {
  CUstream stream = NewStream();
  CUdeviceptr queue;
  // @CREATED
  OK(cuMemAlloc(&queue, 8192));
  OK(cuMemsetD8Async(queue, 1, 8192, stream));
#ifdef DEFECT
  // @HERE
  OK(cuMemcpyDtoDAsync(queue, queue + 1024, 4096, stream));
#else
  CUdeviceptr copy = NewMemory(4096);
  OK(cuMemcpyDtoDAsync(copy, queue + 1024, 4096, stream));
  OK(cuMemcpyDtoDAsync(queue, copy, 4096, stream));
  // Ranges side by side, and bytes onto themselves.
  OK(cuMemcpyDtoDAsync(queue, queue + 4096, 4096, stream));
  OK(cuMemcpyDtoDAsync(queue, queue, 4096, stream));
#endif
  OK(cuStreamSynchronize(stream));
#ifndef DEFECT
  OK(cuMemFree(copy));
#endif
  Release(queue, stream);
}

// Defect: A program moves the rows of an array down by copies whose boxes overlap.
// Fix: The boxes lie side by side.
// EXPECT error race cuMemcpy2D_v2 at ROWS
// EXPECT-PARTY allocation at CREATED_2
// EXPECT error race cuMemcpyAtoA_v2 at LINE
static void ArrayCopyOverItself() {
  static char texels[64 * 256];
  CUDA_ARRAY_DESCRIPTOR shape = {};
  shape.Width = shape.Height = 64;
  shape.Format = CU_AD_FORMAT_UNSIGNED_INT8;
  shape.NumChannels = 4;
  CUarray image, line;
  // @CREATED_2
  OK(cuArrayCreate(&image, &shape));
  shape.Height = 0;
  OK(cuArrayCreate(&line, &shape));
  CUDA_MEMCPY2D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = texels;
  upload.srcPitch = 256;
  upload.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  upload.dstArray = image;
  upload.WidthInBytes = 256;
  upload.Height = 64;
  OK(cuMemcpy2D(&upload));
  OK(cuMemcpyHtoA(line, 0, texels, 256));
  CUDA_MEMCPY2D move = {};
  move.srcMemoryType = move.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  move.srcArray = move.dstArray = image;
  move.WidthInBytes = 256;
  move.Height = 32;
#ifdef DEFECT
  move.dstY = 8;
  const size_t bytes = 128;
#else
  move.dstY = 32;
  const size_t bytes = 64;
#endif
  // @ROWS
  OK(cuMemcpy2D(&move));
  // @LINE
  OK(cuMemcpyAtoA(line, 64, line, 0, bytes));
  // Columns side by side.
  move.dstY = 0;
  move.dstXInBytes = 128;
  move.WidthInBytes = 128;
  move.Height = 64;
  OK(cuMemcpy2D(&move));
  OK(cuCtxSynchronize());
  Release(line, image);
}

// Defect: A program moves a box within an allocation by a copy whose source and target overlap.
// Fix: The box is copied to rows that it does not contain.
// EXPECT error race cuMemcpy3DAsync_v2 at HERE_2
// EXPECT-PARTY allocation at CREATED_3
// EXPECT-TEXT reads 8 slices of 32 rows of 32 B from byte 0 and writes 8 slices of 32 rows of 32 B from byte 16
static void BoxOverItself() {
  CUstream stream = NewStream();
  CUdeviceptr volume;
  // @CREATED_3
  OK(cuMemAlloc(&volume, 64 * 64 * 8));
  OK(cuMemsetD8Async(volume, 1, 64 * 64 * 8, stream));
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = copy.dstDevice = volume;
  copy.srcPitch = copy.dstPitch = 64;
  copy.srcHeight = copy.dstHeight = 64;
  copy.WidthInBytes = 32;
  copy.Height = 32;
  copy.Depth = 8;
#ifdef DEFECT
  copy.dstXInBytes = 16;
#else
  copy.dstY = 32;
#endif
  // @HERE_2
  OK(cuMemcpy3DAsync(&copy, stream));
  // Boxes side by side in each dimension, and bytes onto themselves.
  copy.dstXInBytes = 32;
  copy.dstY = 0;
  OK(cuMemcpy3DAsync(&copy, stream));
  copy.dstXInBytes = 0;
  OK(cuMemcpy3DAsync(&copy, stream));
  copy.Depth = 4;
  copy.dstZ = 4;
  OK(cuMemcpy3DAsync(&copy, stream));
  OK(cuStreamSynchronize(stream));
  Release(volume, stream);
}

int main() {
  Open();
  RangesOverItself();
  ArrayCopyOverItself();
  BoxOverItself();
  Close();
}
