// Defect: Two streams write the same physical memory through two mappings, without an order.
// Fix: The second stream waits for the first one.
// EXPECT error race cuMemsetD8Async at HERE
// EXPECT-PARTY pending-command at WRITTEN
// EXPECT-FACT hazard=WAW
#include "common/cuda_mapped.h"

int main() {
  Open();
  const size_t bytes = PhysicalPiece();
  CUmemGenericAllocationHandle memory = NewPhysical(bytes);
  CUdeviceptr addresses[2];
  MapTwice(addresses, bytes, memory);
  OK(cuMemRelease(memory));  // the mappings keep the memory
  CUstream first = NewStream(), second = NewStream();
  CUevent written = NewEvent();
  // @WRITTEN
  OK(cuMemsetD8Async(addresses[0], 1, 4096, first));
  // Other bytes of the same memory.
  OK(cuMemsetD8Async(addresses[1] + 4096, 2, 4096, second));
  OK(cuEventRecord(written, first));
#ifndef DEFECT
  OK(cuStreamWaitEvent(second, written, 0));
#endif
  // @HERE
  OK(cuMemsetD8Async(addresses[1], 2, 4096, second));
  OK(cuStreamSynchronize(second));
  OK(cuStreamSynchronize(first));
  for (CUdeviceptr address : addresses) {
    OK(cuMemUnmap(address, bytes));
    OK(cuMemAddressFree(address, 2 * bytes));
  }
  Close(written, first, second);
}
