// Defect: A kernel writes two mappings that lie side by side, and no call has allowed accesses to
// the second one.
// Fix: The program allows accesses to both.
// EXPECT error kernel-access-flag cuLaunchKernel at HERE
// EXPECT-FACT kernel=code_set
// EXPECT-FACT argument=0
// EXPECT-TEXT no call has allowed accesses
// MAY sticky-error leak
// EXIT any
#include "common/cuda_machine_code.h"
#include "common/cuda_mapped.h"

int main() {
  Open();
  const size_t bytes = PhysicalPiece();
  CUfunction set = CodeKernel(CODE_SET);
  CUmemGenericAllocationHandle first = NewPhysical(bytes), second = NewPhysical(bytes);
  CUdeviceptr address;
  OK(cuMemAddressReserve(&address, 2 * bytes, 0, 0, 0));
  Map(address, bytes, first);
#ifdef DEFECT
  OK(cuMemMap(address + bytes, bytes, 0, second, 0));
#else
  Map(address + bytes, bytes, second);
#endif
  int value = 3, count = (int)(2 * bytes / sizeof(int));
  void* arguments[] = {&address, &value, &count};
  // @HERE
  OK(cuLaunchKernel(set, (unsigned)count / 256, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemUnmap(address, 2 * bytes));
  OK(cuMemRelease(second));
  OK(cuMemRelease(first));
  OK(cuMemAddressFree(address, 2 * bytes));
  Close();
}
