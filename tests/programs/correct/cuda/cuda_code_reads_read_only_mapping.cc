// A kernel reads memory to which its device has read access only, through a parameter that is not
// const. Another kernel may write it, but writes nothing. Then the access changes, and it writes.
#include "common/cuda_machine_code.h"
#include "common/cuda_mapped.h"

int main() {
  Open();
  const size_t bytes = PhysicalPiece();
  CUfunction set = CodeKernel(CODE_SET), copy = CodeKernel(CODE_COPY);
  CUmemGenericAllocationHandle memory = NewPhysical(bytes);
  CUdeviceptr address, out = NewMemory(256);
  OK(cuMemAddressReserve(&address, bytes, 0, 0, 0));
  Map(address, bytes, memory);
  OK(cuMemsetD8(address, 0, bytes));
  OK(cuCtxSynchronize());
  SetAccess(address, bytes, CU_MEM_ACCESS_FLAGS_PROT_READ);
  void* copied[] = {&address, &out};
  OK(cuLaunchKernel(copy, 1, 1, 1, 64, 1, 1, 0, nullptr, copied, nullptr));
  int value = 3, count = 0;
  void* arguments[] = {&address, &value, &count};
  OK(cuLaunchKernel(set, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  SetAccess(address, bytes, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  count = 64;
  OK(cuLaunchKernel(set, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(out));
  OK(cuMemUnmap(address, bytes));
  OK(cuMemRelease(memory));
  OK(cuMemAddressFree(address, bytes));
  Close();
}
