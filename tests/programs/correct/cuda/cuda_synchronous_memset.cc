// A fill of page-locked memory waits, and so does a fill of memory whose operations were made
// synchronous.
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
  char* data = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  CUdeviceptr mapped;
  OK(cuMemHostGetDevicePointer(&mapped, data, 0));
  OK(cuMemsetD8(mapped, 5, 4096));
  CHECK(data[0] == 5 && data[4095] == 5);
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, stream));
  OK(cuStreamSynchronize(stream));
  unsigned synchronous = 1;
  OK(cuPointerSetAttribute(&synchronous, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, buffer));
  OK(cuMemsetD8(buffer, 6, 4096));
  OK(cuMemcpyDtoHAsync(data, buffer, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(data[0] == 6);
  Close(buffer, data, stream);
}
