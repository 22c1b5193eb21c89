// Calls order the work of streams without an event.
#include "common/cuda.h"

// A peer copy, here from the device to itself, comes behind all work of its devices and in
// front of what follows.
static void PeerCopy() {
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
  char *data = NewPinned(4096), *result = NewPinned(4096);
  memset(data, 2, 4096);
  CUdeviceptr from = NewMemory(4096), to = NewMemory(4096);
  OK(cuMemcpyHtoDAsync(from, data, 4096, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemcpyPeer(to, context, from, context, 4096));
  OK(cuCtxSynchronize());
  OK(cuMemcpyDtoHAsync(result, to, 4096, stream));
  OK(cuMemsetD8Async(to, 0, 4096, stream));
  OK(cuMemcpyPeerAsync(to, context, from, context, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 2);
  Release(to, from, result, data, stream);
}

// Drivers wait for more than the documents promise: for staged uploads, for copies on the
// device, at a free. Programs that rely on it get findings only in strict mode.
static void WhatDriversWaitFor() {
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
  char *data = (char*)calloc(1, 65536), *result = NewPinned(65536);
  CUdeviceptr buffer = NewMemory(65536), copy = NewMemory(65536), scratch = NewMemory(65536);
  OK(cuMemcpyHtoD(buffer, data, 65536));
  OK(cuMemcpyDtoHAsync(result, buffer, 65536, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemsetD8Async(copy, 0, 65536, CU_STREAM_LEGACY));
  OK(cuMemFree(scratch));
  OK(cuMemcpyDtoHAsync(result, copy, 65536, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemFree(copy));
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
  free(data);
  Release(stream);
}

// Allocations of device and page-locked memory between the commands of two blocking streams. The
// programming guide of CUDA names them as operations after which such commands do not overlap.
static void AllocationsBetweenTwoStreams() {
  CUstream first = NewStream(CU_STREAM_DEFAULT), second = NewStream(CU_STREAM_DEFAULT);
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  CUdeviceptr scratch = NewMemory(4096);
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  char* more = NewPinned(4096);
  OK(cuMemsetD8Async(buffer, 1, 4096, first));
  OK(cuCtxSynchronize());
  OK(cuMemFree(scratch));
  OK(cuMemFree(buffer));
  for (char* memory : {more, result, data}) OK(cuMemFreeHost(memory));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
}

int main() {
  Open();
  PeerCopy();
  WhatDriversWaitFor();
  AllocationsBetweenTwoStreams();
  Close();
}
