// Physical memory is mapped at two addresses, moved to a third one with its content, and in part
// replaced by other memory.
#include "common/cuda.h"

static CUmemAllocationProp properties;
static size_t piece;

static CUmemGenericAllocationHandle NewPiece(size_t pieces) {
  CUmemGenericAllocationHandle memory;
  OK(cuMemCreate(&memory, pieces * piece, &properties, 0));
  return memory;
}

static void Map(CUdeviceptr where, size_t pieces, CUmemGenericAllocationHandle memory) {
  CUmemAccessDesc access = {};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  OK(cuMemMap(where, pieces * piece, 0, memory, 0));
  OK(cuMemSetAccess(where, pieces * piece, &access, 1));
}

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED));
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = device;
  OK(cuMemGetAllocationGranularity(&piece, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUstream stream = NewStream();
  char* result = NewPinned(4096);
  CUdeviceptr base, alias;
  OK(cuMemAddressReserve(&base, 3 * piece, 0, 0, 0));
  OK(cuMemAddressReserve(&alias, piece, 0, 0, 0));
  CUmemGenericAllocationHandle first = NewPiece(1), second = NewPiece(1);
  Map(base, 1, first);
  Map(alias, 1, first);
  // Written by one address and read by the other, one kernel behind the other.
  OK(cuMemsetD8Async(base, 5, piece, stream));
  OK(cuMemcpyDtoHAsync(result, alias, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 5);
  OK(cuMemUnmap(base, piece));
  // The content moves with the memory.
  Map(base + 2 * piece, 1, first);
  OK(cuMemcpyDtoHAsync(result, base + 2 * piece, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[4095] == 5);
  // Other memory at the address that was used before, and a copy over the seam.
  Map(base, 1, second);
  CUmemGenericAllocationHandle middle = NewPiece(1), again;
  Map(base + piece, 1, middle);
  OK(cuMemRetainAllocationHandle(&again, (void*)(base + piece)));
  OK(cuMemRelease(again));
  OK(cuMemsetD8Async(base, 6, 3 * piece, stream));
  OK(cuMemcpyDtoHAsync(result, base + 2 * piece - 2048, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 6 && result[4095] == 6);
  OK(cuMemUnmap(base, 3 * piece));
  OK(cuMemcpyDtoHAsync(result, alias, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 6);
  OK(cuMemUnmap(alias, piece));
  OK(cuMemRelease(middle));
  OK(cuMemRelease(second));
  OK(cuMemRelease(first));
  OK(cuMemAddressFree(alias, piece));
  OK(cuMemAddressFree(base, 3 * piece));
  OK(cuMemFreeHost(result));
  OK(cuStreamDestroy(stream));
  Close();
}
