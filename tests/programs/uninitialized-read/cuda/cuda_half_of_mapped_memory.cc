// Defect: The half of physical memory that nothing has written is read through another mapping.
// Fix: The half that was written through the first mapping is read.
// EXPECT warning uninitialized-read cuMemcpyDtoH_v2 at HERE
#include "common/cuda_mapped.h"

int main() {
  Open();
  const size_t bytes = PhysicalPiece();
  CUmemGenericAllocationHandle memory = NewPhysical(bytes);
  CUdeviceptr addresses[2];
  MapTwice(addresses, bytes, memory);
  OK(cuMemsetD8(addresses[0], 5, bytes / 2));
  OK(cuCtxSynchronize());
  // The content stays in the memory.
  OK(cuMemUnmap(addresses[0], bytes));
  static char result[4096];
#ifdef DEFECT
  // @HERE
  OK(cuMemcpyDtoH(result, addresses[1] + bytes / 2, sizeof(result)));
#else
  OK(cuMemcpyDtoH(result, addresses[1] + bytes / 2 - sizeof(result), sizeof(result)));
  CHECK(result[0] == 5);
#endif
  OK(cuMemUnmap(addresses[1], bytes));
  OK(cuMemRelease(memory));
  for (CUdeviceptr address : addresses) OK(cuMemAddressFree(address, 2 * bytes));
  Close();
}
