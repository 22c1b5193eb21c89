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

// Sets what the device may do with mapped memory.
[[maybe_unused]] static void SetAccess(CUdeviceptr address, size_t bytes, CUmemAccess_flags flags) {
  const CUmemAccessDesc access = {PhysicalProperties().location, flags};
  OK(cuMemSetAccess(address, bytes, &access, 1));
}

// Maps the memory to an address that is reserved, for reads and writes of the device.
[[maybe_unused]] static void Map(CUdeviceptr address, size_t bytes,
                                 CUmemGenericAllocationHandle memory) {
  OK(cuMemMap(address, bytes, 0, memory, 0));
  SetAccess(address, bytes, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
}

// The smallest piece of physical memory, mapped to an address of its own.
struct MappedPiece {
  size_t bytes;
  CUmemGenericAllocationHandle memory;
  CUdeviceptr address;
  void Allow(CUmemAccess_flags flags) const { SetAccess(address, bytes, flags); }
};

// Returns a piece that the device may read and write.
[[maybe_unused]] static MappedPiece NewPiece() {
  MappedPiece piece;
  piece.bytes = PhysicalPiece();
  piece.memory = NewPhysical(piece.bytes);
  OK(cuMemAddressReserve(&piece.address, piece.bytes, 0, 0, 0));
  Map(piece.address, piece.bytes, piece.memory);
  return piece;
}

[[maybe_unused]] static void FreePiece(const MappedPiece& piece) {
  OK(cuMemUnmap(piece.address, piece.bytes));
  OK(cuMemRelease(piece.memory));
  OK(cuMemAddressFree(piece.address, piece.bytes));
}

// Maps the memory to two ranges of addresses that do not adjoin: each takes twice the bytes.
[[maybe_unused]] static void MapTwice(CUdeviceptr (&addresses)[2], size_t bytes,
                                      CUmemGenericAllocationHandle memory) {
  for (CUdeviceptr& address : addresses) {
    OK(cuMemAddressReserve(&address, 2 * bytes, 0, 0, 0));
    Map(address, bytes, memory);
  }
}
