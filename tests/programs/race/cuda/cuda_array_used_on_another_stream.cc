// Defect: An array is downloaded on one stream while another uploads it, without an event.
// Fix: An array is downloaded after an event of the stream that uploads it.
// EXPECT error race cuMemcpy2DAsync_v2 at HERE
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT hazard=RAW
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent uploaded = NewEvent();
  char *data = NewPinned(64 * 64), *result = NewPinned(64 * 64);
  CUDA_ARRAY_DESCRIPTOR shape = {64, 64, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  CUarray array;
  // @CREATED
  OK(cuArrayCreate(&array, &shape));
  CUDA_MEMCPY2D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = data;
  upload.srcPitch = 64;
  upload.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  upload.dstArray = array;
  upload.WidthInBytes = 64;
  upload.Height = 64;
  CUDA_MEMCPY2D download = {};
  download.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  download.srcArray = array;
  download.dstMemoryType = CU_MEMORYTYPE_HOST;
  download.dstHost = result;
  download.dstPitch = 64;
  download.WidthInBytes = 64;
  download.Height = 64;
  // @UPLOAD
  OK(cuMemcpy2DAsync(&upload, first));
  OK(cuEventRecord(uploaded, first));
#ifndef DEFECT
  OK(cuStreamWaitEvent(second, uploaded, 0));
#endif
  // @HERE
  OK(cuMemcpy2DAsync(&download, second));
  OK(cuCtxSynchronize());
  Close(array, result, data, uploaded, second, first);
}
