// Defect: Memory and arrays of the runtime are read of which a part or all was never written.
// Fix: All that is read is written before.
#include "common/cudart.h"

// Defect: Memory is downloaded that nothing has written.
// Fix: Memory is filled and downloaded.
// EXPECT warning uninitialized-read cudaMemcpy at HERE
// EXPECT-PARTY allocation at CREATED
static void Download() {
  static char result[4096];
  void* buffer;
  // @CREATED
  OK(cudaMalloc(&buffer, 4096));
#ifndef DEFECT
  OK(cudaMemset(buffer, 0, 4096));
#endif
  // @HERE
  OK(cudaMemcpy(result, buffer, 4096, cudaMemcpyDeviceToHost));
  OK(cudaFree(buffer));
  Close();
}

// Defect: A box of a new three-dimensional allocation is downloaded.
// Fix: A box is downloaded after cudaMemset3D.
// EXPECT warning uninitialized-read cuMemcpy3D_v2|cudaMemcpy3D at HERE_2
static void DownloadOfRows() {
  static char result[30 * 5 * 4];
  cudaPitchedPtr box;
  const cudaExtent extent = {30, 5, 4};
  OK(cudaMalloc3D(&box, extent));
#ifndef DEFECT
  OK(cudaMemset3D(box, 0, extent));
#endif
  cudaMemcpy3DParms back = {};
  back.srcPtr = box;
  back.dstPtr = cudaPitchedPtr{result, 30, 30, 5};
  back.extent = extent;
  back.kind = cudaMemcpyDeviceToHost;
  // @HERE_2
  OK(cudaMemcpy3D(&back));
  OK(cudaFree(box.ptr));
  Close();
}

// Defect: cudaMemset counts elements instead of bytes, and the whole allocation is downloaded.
// Fix: cudaMemset covers all bytes of the allocation that is downloaded.
// EXPECT warning uninitialized-read cudaMemcpy at HERE_3
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-FACT written_bytes=512
static void MemsetCountsElements() {
  const size_t count = 512;
  static double result[count];
  void* sums;
  // @CREATED_2
  OK(cudaMalloc(&sums, count * sizeof(double)));
#ifdef DEFECT
  OK(cudaMemset(sums, 0, count));
#else
  OK(cudaMemset(sums, 0, count * sizeof(double)));
#endif
  // @HERE_3
  OK(cudaMemcpy(result, sums, sizeof(result), cudaMemcpyDeviceToHost));
  OK(cudaFree(sums));
  Close();
}

// Defect: Rows are uploaded to pitched memory as one block, and downloaded with the pitch.
// Fix: Rows are uploaded with the pitch.
// EXPECT warning uninitialized-read cudaMemcpy2D at HERE_4
// EXPECT-PARTY allocation at CREATED_3
// EXPECT-FACT size_bytes=16000
static void RowsWithoutPitch() {
  const size_t row = 1000, rows = 16;
  static char data[row * rows], result[row * rows];
  void* image;
  size_t pitch;
  // @CREATED_3
  OK(cudaMallocPitch(&image, &pitch, row, rows));
#ifdef DEFECT
  OK(cudaMemcpy(image, data, row * rows, cudaMemcpyHostToDevice));
#else
  OK(cudaMemcpy2D(image, pitch, data, row, row, rows, cudaMemcpyHostToDevice));
#endif
  // @HERE_4
  OK(cudaMemcpy2D(result, row, image, pitch, row, rows, cudaMemcpyDeviceToHost));
  OK(cudaFree(image));
  Close();
}

// Defect: The upload to an array counts the texels of a row instead of its bytes; the whole array
// is downloaded.
// Fix: The upload covers all bytes of the rows.
// EXPECT warning uninitialized-read cudaMemcpy2DFromArray at HERE_5
// EXPECT-PARTY allocation at CREATED_4
// EXPECT-FACT written_bytes=1536
// EXPECT-TEXT elements of 4 B
static void ArrayRowsCountTexels() {
  const size_t width = 48, height = 32, row = width * sizeof(float);
  static float data[width * height], result[width * height];
  const cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
  cudaArray_t image;
  // @CREATED_4
  OK(cudaMallocArray(&image, &format, width, height));
#ifdef DEFECT
  OK(cudaMemcpy2DToArray(image, 0, 0, data, row, width, height, cudaMemcpyHostToDevice));
#else
  OK(cudaMemcpy2DToArray(image, 0, 0, data, row, row, height, cudaMemcpyHostToDevice));
#endif
  // @HERE_5
  OK(cudaMemcpy2DFromArray(result, row, image, 0, 0, row, height, cudaMemcpyDeviceToHost));
  // A part of the rows may be all that a program writes.
  cudaArray_t part;
  OK(cudaMallocArray(&part, &format, width, height));
  OK(cudaMemcpy2DToArray(part, 0, 0, data, width, width, height, cudaMemcpyHostToDevice));
  OK(cudaMemcpy2DFromArray(result, width, part, 0, 0, width, height, cudaMemcpyDeviceToHost));
  OK(cudaFreeArray(part));
  OK(cudaFreeArray(image));
  Close();
}

// Defect: An array that nothing has written is copied to another one.
// Fix: An array is uploaded and copied to another one.
// EXPECT warning uninitialized-read cudaMemcpy2DArrayToArray at HERE_6
static void CopyBetweenArrays() {
  static float data[32 * 32], result[32 * 32];
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t plane, other;
  OK(cudaMallocArray(&plane, &format, 32, 32, 0));
  OK(cudaMallocArray(&other, &format, 32, 32, 0));
#ifndef DEFECT
  OK(cudaMemcpy2DToArray(plane, 0, 0, data, 32 * 4, 32 * 4, 32, cudaMemcpyHostToDevice));
#endif
  // @HERE_6
  OK(cudaMemcpy2DArrayToArray(other, 0, 0, plane, 0, 0, 32 * 4, 32, cudaMemcpyDeviceToDevice));
  OK(cudaMemcpy2DFromArray(result, 32 * 4, other, 0, 0, 32 * 4, 32, cudaMemcpyDeviceToHost));
  OK(cudaFreeArray(other));
  OK(cudaFreeArray(plane));
  Close();
}

// Defect: The extent of an upload to a volume counts the elements of a row instead of its bytes; the
// whole volume is downloaded.
// Fix: The extent counts the bytes of a row, since no array takes part in the copy.
// EXPECT warning uninitialized-read cuMemcpy3D_v2|cudaMemcpy3D at HERE_7
// EXPECT-PARTY allocation at CREATED_5
// EXPECT-TEXT elements of 4 B
static void ExtentCountsElements() {
  const size_t width = 48, height = 40, depth = 24, row = width * sizeof(float);
  static float data[width * height * depth], result[width * height * depth];
  cudaPitchedPtr volume;
  // @CREATED_5
  OK(cudaMalloc3D(&volume, cudaExtent{row, height, depth}));
  cudaMemcpy3DParms to = {};
  to.srcPtr = cudaPitchedPtr{data, row, width, height};
  to.dstPtr = volume;
#ifdef DEFECT
  to.extent = cudaExtent{width, height, depth};
#else
  to.extent = cudaExtent{row, height, depth};
#endif
  to.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&to));
  cudaMemcpy3DParms back = {};
  back.srcPtr = volume;
  back.dstPtr = cudaPitchedPtr{result, row, width, height};
  back.extent = cudaExtent{row, height, depth};
  back.kind = cudaMemcpyDeviceToHost;
  // @HERE_7
  OK(cudaMemcpy3D(&back));
  OK(cudaFree(volume.ptr));
  Close();
}

int main() {
  Download();
  DownloadOfRows();
  MemsetCountsElements();
  RowsWithoutPitch();
  ArrayRowsCountTexels();
  CopyBetweenArrays();
  ExtentCountsElements();
}
