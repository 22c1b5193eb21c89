// Defect: Physical memory is mapped and unmapped, and its handle never released.
// Fix: Physical memory is unmapped and released.
// EXPECT error leak cuMemCreate at CREATED
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
