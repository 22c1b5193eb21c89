// Defect: Mapped memory is used without access rights, and a part of managed memory is attached to
// a stream.
// Fix: The program sets the access, and attaches the whole allocation.
#include "common/cuda.h"

// Defect: Mapped memory is used without access rights.
// Fix: The device gets access to the memory first.
// EXPECT warning call-failed cuMemsetD8_v2 CUDA_ERROR_INVALID_VALUE at HERE
// EXPECT-TEXT call cuMemSetAccess for the memory before cuMemsetD8
static void MappedMemoryWithoutAccess() {
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
#ifndef DEFECT
  CUmemAccessDesc access = {};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  OK(cuMemSetAccess(base, bytes, &access, 1));
#endif
  // @HERE
  cuMemsetD8(base, 0, bytes);
  cuCtxSynchronize();
  OK(cuMemUnmap(base, bytes));
  OK(cuMemAddressFree(base, bytes));
  OK(cuMemRelease(memory));
}

// Defect: Half of a managed allocation is attached to a stream.
// Fix: A whole managed allocation is attached to a stream.
// EXPECT warning call-failed cuStreamAttachMemAsync CUDA_ERROR_INVALID_VALUE at HERE_2
static void PartOfManagedMemoryAttached() {
  CUstream stream = NewStream();
  CUdeviceptr memory;
  OK(cuMemAllocManaged(&memory, 8192, CU_MEM_ATTACH_HOST));
  size_t bytes = 8192;
#ifdef DEFECT
  bytes = 4096;
#endif
  // @HERE_2
  cuStreamAttachMemAsync(stream, memory, bytes, CU_MEM_ATTACH_SINGLE);
  OK(cuStreamSynchronize(stream));
  Release(memory, stream);
}

int main() {
  Open();
  MappedMemoryWithoutAccess();
  PartOfManagedMemoryAttached();
  Close();
}
