// Defect: An address is used that nothing is mapped to any more.
// Fix: An address is used while memory is mapped there.
// EXPECT error use-after-free cuMemsetD8_v2 at HERE
#include "common/cuda.h"

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED));
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = device;
  size_t bytes;
  OK(cuMemGetAllocationGranularity(&bytes, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUmemGenericAllocationHandle memory;
  CUdeviceptr base;
  OK(cuMemCreate(&memory, bytes, &properties, 0));
  OK(cuMemAddressReserve(&base, bytes, 0, 0, 0));
  OK(cuMemMap(base, bytes, 0, memory, 0));
  CUmemAccessDesc access = {properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  OK(cuMemSetAccess(base, bytes, &access, 1));
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
