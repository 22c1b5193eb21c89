// Physical memory of the first device, and addresses that it is mapped to.
#pragma once

#include "common/cuda.h"

[[maybe_unused]] static CUmemAllocationProp PhysicalProperties() {
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = device;
  return properties;
}

// The smallest size of physical memory. Ends the program where the device cannot map memory.
[[maybe_unused]] static size_t PhysicalPiece() {
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED));
  const CUmemAllocationProp properties = PhysicalProperties();
  size_t bytes;
  OK(cuMemGetAllocationGranularity(&bytes, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  return bytes;
}

[[maybe_unused]] static CUmemGenericAllocationHandle NewPhysical(size_t bytes) {
  const CUmemAllocationProp properties = PhysicalProperties();
  CUmemGenericAllocationHandle memory;
  OK(cuMemCreate(&memory, bytes, &properties, 0));
  return memory;
}

// Maps the memory to an address that is reserved, for reads and writes of the device.
[[maybe_unused]] static void Map(CUdeviceptr address, size_t bytes,
                                 CUmemGenericAllocationHandle memory) {
  const CUmemAccessDesc access = {PhysicalProperties().location,
                                  CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  OK(cuMemMap(address, bytes, 0, memory, 0));
  OK(cuMemSetAccess(address, bytes, &access, 1));
}

// Maps the memory to two ranges of addresses that do not adjoin: each takes twice the bytes.
[[maybe_unused]] static void MapTwice(CUdeviceptr (&addresses)[2], size_t bytes,
                                      CUmemGenericAllocationHandle memory) {
  for (CUdeviceptr& address : addresses) {
    OK(cuMemAddressReserve(&address, 2 * bytes, 0, 0, 0));
    Map(address, bytes, memory);
  }
}
