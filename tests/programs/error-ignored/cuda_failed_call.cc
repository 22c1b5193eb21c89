// Defect: The program ignores an error, and uses what the failed call should have made.
// Fix: The program checks the result.
#include "common/cuda.h"

// Defect: An allocation fails. The program ignores the error and uses the pointer.
// Fix: The allocation succeeds.
// EXPECT warning out-of-memory cuMemAlloc_v2 CUDA_ERROR_OUT_OF_MEMORY at FAILED
// EXPECT error error-ignored cuMemcpyHtoD_v2 at HERE
// EXPECT-PARTY failed-call at FAILED
// EXPECT-TEXT CUDA_ERROR_OUT_OF_MEMORY
static void FailedAllocation() {
  static char data[4096];
#ifdef DEFECT
  const size_t bytes = (size_t)1 << 42;
#else
  const size_t bytes = (size_t)1 << 12;
#endif
  CUdeviceptr buffer = 0;
  // @FAILED
  cuMemAlloc(&buffer, bytes);
  // @HERE
  cuMemcpyHtoD(buffer, data, sizeof(data));
  if (buffer) OK(cuMemFree(buffer));
}

// Defect: An array has an absurd shape and cannot be created. The program ignores the error and
// uses the array.
// Fix: The array has a valid shape.
// EXPECT warning call-failed cuArrayCreate_v2 CUDA_ERROR_INVALID_VALUE at FAILED_2
// EXPECT error error-ignored cuMemcpyHtoA_v2 at HERE_2
// EXPECT-PARTY failed-call at FAILED_2
static void FailedArray() {
  static float data[1024];
#ifdef DEFECT
  const size_t width = (size_t)1 << 30;
#else
  const size_t width = (size_t)1 << 10;
#endif
  CUDA_ARRAY_DESCRIPTOR shape = {width, 0, CU_AD_FORMAT_FLOAT, 1};
  CUarray array = nullptr;
  // @FAILED_2
  cuArrayCreate(&array, &shape);
  // @HERE_2
  cuMemcpyHtoA(array, 0, data, sizeof(data));
  if (array) OK(cuArrayDestroy(array));
}

// Defect: The driver refuses an upload. The program ignores the error and downloads what the upload
// should have written.
// Fix: The upload succeeds.
// EXPECT error copy-out-of-bounds cuMemcpyHtoD_v2 at FAILED_3
// EXPECT error error-ignored cuMemcpyDtoH_v2 at HERE_3
// EXPECT-PARTY failed-call at FAILED_3
static void DownloadBehindFailedUpload() {
  static char data[8192], result[4096];
  CUdeviceptr buffer = NewMemory(4096);
#ifdef DEFECT
  const size_t bytes = 8192;
#else
  const size_t bytes = 4096;
#endif
  // @FAILED_3
  cuMemcpyHtoD(buffer, data, bytes);
  // @HERE_3
  OK(cuMemcpyDtoH(result, buffer, sizeof(result)));
  Release(buffer);
}

int main() {
  Open();
  FailedAllocation();
  FailedArray();
  DownloadBehindFailedUpload();
  Close();
}
