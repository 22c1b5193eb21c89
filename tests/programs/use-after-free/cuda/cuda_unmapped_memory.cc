// Defect: An address is used that nothing is mapped to any more.
// Fix: An address is used while memory is mapped there.
// EXPECT error use-after-free cuMemsetD8_v2 at HERE
#include "common/cuda_mapped.h"

int main() {
  Open();
  const size_t bytes = PhysicalPiece();
  CUmemGenericAllocationHandle memory = NewPhysical(bytes);
  CUdeviceptr base;
  OK(cuMemAddressReserve(&base, bytes, 0, 0, 0));
  Map(base, bytes, memory);
#ifdef DEFECT
  OK(cuMemUnmap(base, bytes));
  // @HERE
  cuMemsetD8(base, 0, 4096);
#else
  cuMemsetD8(base, 0, 4096);
  OK(cuCtxSynchronize());
  OK(cuMemUnmap(base, bytes));
#endif
  OK(cuMemAddressFree(base, bytes));
  OK(cuMemRelease(memory));
  Close();
}
