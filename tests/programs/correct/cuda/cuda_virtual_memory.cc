// Addresses are reserved, physical memory is mapped there in two pieces, used, and taken away
// again.
#include "common/cuda_mapped.h"

int main() {
  Open();
  const size_t piece = PhysicalPiece();
  CUdeviceptr base;
  OK(cuMemAddressReserve(&base, 2 * piece, 0, 0, 0));
  for (int i = 0; i < 2; ++i) {
    CUmemGenericAllocationHandle memory = NewPhysical(piece);
    OK(cuMemMap(base + i * piece, piece, 0, memory, 0));
    OK(cuMemRelease(memory));  // the mapping keeps it
  }
  const CUmemAccessDesc access = {PhysicalProperties().location,
                                  CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  OK(cuMemSetAccess(base, 2 * piece, &access, 1));
  static char result[4096];
  OK(cuMemsetD8(base, 5, 2 * piece));
  OK(cuMemcpyDtoH(result, base + piece - 2048, 4096));  // from both pieces
  CHECK(result[0] == 5 && result[4095] == 5);
  OK(cuCtxSynchronize());
  OK(cuMemUnmap(base, 2 * piece));
  OK(cuMemAddressFree(base, 2 * piece));
  Close();
}
