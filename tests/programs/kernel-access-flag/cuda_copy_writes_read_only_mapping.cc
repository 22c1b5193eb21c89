// Defect: A copy writes memory to which its device has read access only.
// Fix: The device has read and write access.
// EXPECT error kernel-access-flag cuMemcpyHtoD_v2 at HERE
// EXPECT-FACT flags=CU_MEM_ACCESS_FLAGS_PROT_READ
// EXPECT-TEXT the command writes
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
  const int words[64] = {1};
  // @HERE
  OK(cuMemcpyHtoD(address, words, sizeof words));
  OK(cuCtxSynchronize());
  OK(cuMemUnmap(address, bytes));
  OK(cuMemRelease(memory));
  OK(cuMemAddressFree(address, bytes));
  Close();
}
