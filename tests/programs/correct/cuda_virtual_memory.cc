// Addresses are reserved, physical memory is mapped there in two pieces, used, and taken away
// again.
#include "common/cuda.h"

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED));
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = device;
  size_t piece;
  OK(cuMemGetAllocationGranularity(&piece, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUdeviceptr base;
  OK(cuMemAddressReserve(&base, 2 * piece, 0, 0, 0));
  CUmemAccessDesc access = {};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  for (int i = 0; i < 2; ++i) {
    CUmemGenericAllocationHandle memory;
    OK(cuMemCreate(&memory, piece, &properties, 0));
    OK(cuMemMap(base + i * piece, piece, 0, memory, 0));
    OK(cuMemRelease(memory));  // the mapping keeps it
  }
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
