// Defect: Memory is freed in its own stream, which does not wait for the other stream that uses it.
// Fix: The stream waits for an event of the other stream first.
// EXPECT error stream-order-alloc cuMemFreeAsync at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY pending-command at PENDING
// MAY sticky-error call-failed
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent allocated = NewEvent(), used = NewEvent();
  char* result = NewPinned(4096);
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAllocAsync(&buffer, 4096, first));
  OK(cuMemsetD8Async(buffer, 0, 4096, first));
  OK(cuEventRecord(allocated, first));
  OK(cuStreamWaitEvent(second, allocated, 0));
  // @PENDING
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuEventRecord(used, second));
#ifndef DEFECT
  OK(cuStreamWaitEvent(first, used, 0));
#endif
  // @HERE
  OK(cuMemFreeAsync(buffer, first));
  OK(cuCtxSynchronize());
  Close(result, used, allocated, second, first);
}
