// Defect: Downloads read memory of which all, three quarters or the gaps between rows were never
// written.
// Fix: The memory is written first.
#include "common/cuda.h"

// Defect: Memory is downloaded that nothing has written.
// Fix: Memory is filled and downloaded.
// EXPECT warning uninitialized-read cuMemcpyDtoH_v2 at HERE
// EXPECT-PARTY allocation at CREATED
static void Download() {
  static char result[4096];
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
#ifndef DEFECT
  OK(cuMemsetD8(buffer, 0, 4096));
#endif
  // @HERE
  OK(cuMemcpyDtoH(result, buffer, 4096));
  Release(buffer);
}

// Defect: A fill counts elements instead of bytes, and the whole allocation is downloaded.
// Fix: A fill covers all bytes of the allocation that is downloaded.
// EXPECT warning uninitialized-read cuMemcpyDtoH_v2 at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-FACT written_bytes=1024
static void FillCountsElements() {
  const size_t count = 1024;
  static float result[count];
  CUdeviceptr sums;
  // @CREATED_2
  OK(cuMemAlloc(&sums, count * sizeof(float)));
#ifdef DEFECT
  OK(cuMemsetD8(sums, 0, count));
#else
  OK(cuMemsetD8(sums, 0, count * sizeof(float)));
#endif
  // @HERE_2
  OK(cuMemcpyDtoH(result, sums, sizeof(result)));
  Release(sums);
}

// Defect: Rows are written with the pitch of the allocation, and downloaded as one block.
// Fix: Rows are downloaded with the pitch.
// EXPECT warning uninitialized-read cuMemcpyDtoH_v2 at HERE_3
// EXPECT-FACT size_bytes=16000
static void PitchedRowsAsOneBlock() {
  const size_t row = 1000, rows = 16;
  static char result[row * rows];
  CUdeviceptr image;
  size_t pitch;
  OK(cuMemAllocPitch(&image, &pitch, row, rows, 4));
  OK(cuMemsetD2D8(image, pitch, 1, row, rows));
#ifdef DEFECT
  // @HERE_3
  OK(cuMemcpyDtoH(result, image, row * rows));
#else
  CUDA_MEMCPY2D back = {};
  back.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  back.srcDevice = image;
  back.srcPitch = pitch;
  back.dstMemoryType = CU_MEMORYTYPE_HOST;
  back.dstHost = result;
  back.dstPitch = row;
  back.WidthInBytes = row;
  back.Height = rows;
  OK(cuMemcpy2D(&back));
#endif
  Release(image);
}

int main() {
  Open();
  Download();
  FillCountsElements();
  PitchedRowsAsOneBlock();
  Close();
}
