// Trap: Memory has read access only at one address. Copies read it there, and write it at a second
// address, before the access changes and after it is given back.
#include "common/cuda_mapped.h"

int main() {
  Open();
  const size_t bytes = PhysicalPiece();
  CUmemGenericAllocationHandle memory = NewPhysical(bytes);
  CUdeviceptr addresses[2];
  MapTwice(addresses, bytes, memory);
  int words[64] = {1}, read[64];
  OK(cuMemcpyHtoDAsync(addresses[0], words, sizeof words, nullptr));
  OK(cuMemsetD8Async(addresses[0] + sizeof words, 0, 256, nullptr));
  OK(cuCtxSynchronize());
  SetAccess(addresses[0], bytes, CU_MEM_ACCESS_FLAGS_PROT_READ);
  OK(cuMemcpyDtoH(read, addresses[0], sizeof read));
  OK(cuMemcpyDtoD(addresses[1] + 1024, addresses[0], sizeof words));
  OK(cuMemsetD8(addresses[1], 0, sizeof words));
  OK(cuCtxSynchronize());
  OK(cuMemcpyDtoH(read, addresses[0] + 1024, sizeof read));
  SetAccess(addresses[0], bytes, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  OK(cuMemcpyHtoD(addresses[0], words, sizeof words));
  OK(cuMemsetD8(addresses[0], 0, bytes));
  OK(cuCtxSynchronize());
  for (CUdeviceptr address : addresses) {
    OK(cuMemUnmap(address, bytes));
    OK(cuMemAddressFree(address, 2 * bytes));
  }
  OK(cuMemRelease(memory));
  Close();
}
