// Defect: Page-locked memory is freed while a copy into it is pending.
// Fix: Page-locked memory is freed after the wait for the copy into it.
// EXPECT warning host-free-in-flight cuMemFreeHost at HERE
// EXPECT-PARTY pending-command at COPY
// EXPECT-PARTY host-block at BLOCK
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr buffer = NewZeros(1 << 20);
  void* data;
  // @BLOCK
  OK(cuMemAllocHost(&data, 1 << 20));
  // @COPY
  OK(cuMemcpyDtoHAsync(data, buffer, 1 << 20, stream));
#ifndef DEFECT
  OK(cuStreamSynchronize(stream));
#endif
  // @HERE
  OK(cuMemFreeHost(data));
  OK(cuStreamSynchronize(stream));
  Close(buffer, stream);
}
