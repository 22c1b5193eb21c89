// Defect: Two streams write the same physical memory through two mappings, without an order.
// Fix: The second stream waits for the first one.
// EXPECT error race cuMemsetD8Async at HERE
// EXPECT-PARTY pending-command at WRITTEN
// EXPECT-FACT hazard=WAW
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
    // Twice the size: the mappings do not adjoin.
    OK(cuMemAddressReserve(&address, 2 * bytes, 0, 0, 0));
    OK(cuMemMap(address, bytes, 0, memory, 0));
    OK(cuMemSetAccess(address, bytes, &access, 1));
  }
  OK(cuMemRelease(memory));  // the mappings keep the memory
  CUstream first = NewStream(), second = NewStream();
  CUevent written = NewEvent();
  // @WRITTEN
  OK(cuMemsetD8Async(addresses[0], 1, 4096, first));
  // Other bytes of the same memory.
  OK(cuMemsetD8Async(addresses[1] + 4096, 2, 4096, second));
  OK(cuEventRecord(written, first));
#ifndef DEFECT
  OK(cuStreamWaitEvent(second, written, 0));
#endif
  // @HERE
  OK(cuMemsetD8Async(addresses[1], 2, 4096, second));
  OK(cuStreamSynchronize(second));
  OK(cuStreamSynchronize(first));
  for (CUdeviceptr address : addresses) {
    OK(cuMemUnmap(address, bytes));
    OK(cuMemAddressFree(address, 2 * bytes));
  }
  OK(cuEventDestroy(written));
  OK(cuStreamDestroy(first));
  OK(cuStreamDestroy(second));
  Close();
}
