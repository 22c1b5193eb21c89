// Defect: A stream writes a value to mapped memory that devices may only read.
// Fix: The device has read and write access.
// EXPECT error kernel-access-flag cuStreamWriteValue32_v2 at HERE
// MAY sticky-error call-failed leak
// EXIT any
#include "common/cuda_mapped.h"

int main() {
  Open();
  const size_t bytes = PhysicalPiece();
  CUmemGenericAllocationHandle memory = NewPhysical(bytes);
  CUdeviceptr address;
  OK(cuMemAddressReserve(&address, bytes, 0, 0, 0));
  Map(address, bytes, memory);
#ifdef DEFECT
  const CUmemAccessDesc access = {PhysicalProperties().location, CU_MEM_ACCESS_FLAGS_PROT_READ};
  OK(cuMemSetAccess(address, bytes, &access, 1));
#endif
  // @HERE
  OK(cuStreamWriteValue32(nullptr, address, 1, CU_STREAM_WRITE_VALUE_DEFAULT));
  OK(cuCtxSynchronize());
  OK(cuMemUnmap(address, bytes));
  OK(cuMemRelease(memory));
  OK(cuMemAddressFree(address, bytes));
  Close();
}
