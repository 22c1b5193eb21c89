// Defect: Physical memory is mapped and unmapped, and its handle never released.
// Fix: Physical memory is unmapped and released.
// EXPECT error leak cuMemCreate at CREATED
#include "common/cuda_mapped.h"

int main() {
  Open();
  const size_t bytes = PhysicalPiece();
  const CUmemAllocationProp properties = PhysicalProperties();
  CUmemGenericAllocationHandle memory;
  CUdeviceptr base;
  // @CREATED
  OK(cuMemCreate(&memory, bytes, &properties, 0));
  OK(cuMemAddressReserve(&base, bytes, 0, 0, 0));
  OK(cuMemMap(base, bytes, 0, memory, 0));
  OK(cuMemUnmap(base, bytes));
  OK(cuMemAddressFree(base, bytes));
#ifndef DEFECT
  OK(cuMemRelease(memory));
#endif
  Close();
}
