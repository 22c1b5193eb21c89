// Defect: The program relies on calls to wait that no document guarantees to wait. Strict mode
// reports that.
// Fix: The program waits, or records and waits for an event.
// OPTION --strict=true
#include "common/cuda.h"

// Defect: A copy on the device returns before it is complete, and a non-blocking stream does not
// wait for it. Strict mode reports that.
// Fix: The host waits for the copy first.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at COPY
static void DeviceCopyDoesNotWait() {
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
  char* result = NewPinned(65536);
  CUdeviceptr from = NewZeros(65536), to = NewMemory(65536);
  // @COPY
  OK(cuMemcpyDtoD(to, from, 65536));
#ifndef DEFECT
  OK(cuCtxSynchronize());
#endif
  // @HERE
  OK(cuMemcpyDtoHAsync(result, to, 65536, stream));
  OK(cuCtxSynchronize());
  Release(to, from, result, stream);
}

// Defect: The program relies on a free to wait for all streams, which no document guarantees.
// Strict mode reports that.
// Fix: The program waits itself.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE_2
// EXPECT-PARTY pending-command at UPLOAD_2
static void StrictFreeIsNoWait() {
  CUstream first = NewStream(), second = NewStream();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096), scratch = NewMemory(4096);
  // @UPLOAD_2
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
#ifndef DEFECT
  OK(cuStreamSynchronize(first));
#endif
  OK(cuMemFree(scratch));
  // @HERE_2
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuCtxSynchronize());
  Release(buffer, result, data, second, first);
}

// Defect: An upload from pageable memory returns when it is staged. The documents guarantee no
// more, and a non-blocking stream does not wait for the rest. Strict mode reports that.
// Fix: The host waits for the upload first.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE_3
// EXPECT-PARTY pending-command at UPLOAD_3
static void StrictStagedUpload() {
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
  char *data = (char*)calloc(1, 65536), *result = NewPinned(65536);
  CUdeviceptr buffer = NewMemory(65536);
  // @UPLOAD_3
  OK(cuMemcpyHtoD(buffer, data, 65536));
#ifndef DEFECT
  OK(cuStreamSynchronize(CU_STREAM_LEGACY));
#endif
  // @HERE_3
  OK(cuMemcpyDtoHAsync(result, buffer, 65536, stream));
  OK(cuCtxSynchronize());
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
  free(data);
  Release(stream);
}

// Defect: The program relies on an allocation to order the commands of two streams. Drivers of today
// do not wait there. Strict mode reports that.
// Fix: The second stream waits for an event of the first one.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE_4
// EXPECT-PARTY pending-command at UPLOAD
static void StrictAllocationIsNoOrder() {
  CUstream first = NewStream(CU_STREAM_DEFAULT), second = NewStream(CU_STREAM_DEFAULT);
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  CUdeviceptr scratch = NewMemory(4096);
#ifndef DEFECT
  CUevent uploaded;
  OK(cuEventCreate(&uploaded, CU_EVENT_DISABLE_TIMING));
  OK(cuEventRecord(uploaded, first));
  OK(cuStreamWaitEvent(second, uploaded, 0));
  OK(cuEventDestroy(uploaded));
#endif
  // @HERE_4
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuCtxSynchronize());
  OK(cuMemFree(scratch));
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
  OK(cuMemFreeHost(data));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
}

int main() {
  Open();
  DeviceCopyDoesNotWait();
  StrictFreeIsNoWait();
  StrictStagedUpload();
  StrictAllocationIsNoOrder();
  Close();
}
