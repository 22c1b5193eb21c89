// Defect: A kernel writes memory to which its device has read access only.
// Fix: The device has read and write access.
// EXPECT error kernel-access-flag cuLaunchKernel at HERE
// EXPECT-FACT kernel=code_set
// EXPECT-FACT argument=0
// EXPECT-FACT flags=CU_MEM_ACCESS_FLAGS_PROT_READ
// EXPECT-TEXT is written but holds
// MAY sticky-error leak
// EXIT any
#include "common/cuda_machine_code.h"
#include "common/cuda_mapped.h"

int main() {
  Open();
  const size_t bytes = PhysicalPiece();
  CUfunction set = CodeKernel(CODE_SET);
  CUmemGenericAllocationHandle memory = NewPhysical(bytes);
  CUdeviceptr address;
  OK(cuMemAddressReserve(&address, bytes, 0, 0, 0));
  Map(address, bytes, memory);
  OK(cuMemsetD8(address, 0, bytes));
  OK(cuCtxSynchronize());
#ifdef DEFECT
  const CUmemAccessDesc access = {PhysicalProperties().location, CU_MEM_ACCESS_FLAGS_PROT_READ};
  OK(cuMemSetAccess(address, bytes, &access, 1));
#endif
  int value = 3, count = 64;
  void* arguments[] = {&address, &value, &count};
  // @HERE
  OK(cuLaunchKernel(set, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemUnmap(address, bytes));
  OK(cuMemRelease(memory));
  OK(cuMemAddressFree(address, bytes));
  Close();
}
