// Defect: The half of physical memory that nothing has written is read through another mapping.
// Fix: The half that was written through the first mapping is read.
// EXPECT warning uninitialized-read cuMemcpyDtoH_v2 at HERE
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
  OK(cuMemCreate(&memory, bytes, &properties, 0));
  CUmemAccessDesc access = {};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CUdeviceptr addresses[2];
  for (CUdeviceptr& address : addresses) {
    OK(cuMemAddressReserve(&address, 2 * bytes, 0, 0, 0));
    OK(cuMemMap(address, bytes, 0, memory, 0));
    OK(cuMemSetAccess(address, bytes, &access, 1));
  }
  OK(cuMemsetD8(addresses[0], 5, bytes / 2));
  OK(cuCtxSynchronize());
  // The content stays in the memory.
  OK(cuMemUnmap(addresses[0], bytes));
  static char result[4096];
#ifdef DEFECT
  // @HERE
  OK(cuMemcpyDtoH(result, addresses[1] + bytes / 2, sizeof(result)));
#else
  OK(cuMemcpyDtoH(result, addresses[1] + bytes / 2 - sizeof(result), sizeof(result)));
  CHECK(result[0] == 5);
#endif
  OK(cuMemUnmap(addresses[1], bytes));
  OK(cuMemRelease(memory));
  for (CUdeviceptr address : addresses) OK(cuMemAddressFree(address, 2 * bytes));
  Close();
}
