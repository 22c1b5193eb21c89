// Defect: Memory is freed or unmapped by calls that do not wait for pending work.
// Fix: The host waits for the work first.
#include <unistd.h>

#include "common/cuda.h"

// Defect: cuMemFree, which does not wait, frees memory of the stream-ordered allocator without a
// wait for the download. (The program sleeps first, so that the driver survives.)
// Fix: The program waits for the download before cuMemFree.
// EXPECT error free-in-flight cuMemFree_v2 at HERE
// EXPECT-PARTY pending-command at PENDING
// EXPECT-PARTY allocation at CREATED
static void FreeOfOrderedMemory() {
  CUstream stream = NewStream();
  char* result = NewPinned(4096);
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAllocAsync(&buffer, 4096, stream));
  OK(cuMemsetD8Async(buffer, 0, 4096, stream));
  // @PENDING
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
#ifdef DEFECT
  usleep(200000);
#else
  OK(cuStreamSynchronize(stream));
#endif
  // @HERE
  OK(cuMemFree(buffer));
  OK(cuCtxSynchronize());
  Release(result, stream);
}

// Defect: cuMemUnmap, which does not wait, takes the addresses of memory from a download that may still run. (The program
// sleeps first, so that the driver survives.)
// Fix: The program waits for the download before cuMemUnmap.
// EXPECT error free-in-flight cuMemUnmap at HERE_2
// EXPECT-PARTY pending-command at PENDING_2
// EXPECT-PARTY allocation at MAPPED
static void UnmapWithAPendingDownload() {
  CUstream stream = NewStream();
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemAccessDesc access = {properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  size_t bytes;
  OK(cuMemGetAllocationGranularity(&bytes, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  char* result = NewPinned(4096);
  CUmemGenericAllocationHandle memory;
  CUdeviceptr range;
  OK(cuMemCreate(&memory, bytes, &properties, 0));
  OK(cuMemAddressReserve(&range, 2 * bytes, 0, 0, 0));
  // @MAPPED
  OK(cuMemMap(range, bytes, 0, memory, 0));
  OK(cuMemSetAccess(range, bytes, &access, 1));
  OK(cuMemsetD8Async(range, 1, bytes, stream));
  OK(cuStreamSynchronize(stream));
  // @PENDING_2
  OK(cuMemcpyDtoHAsync(result, range, 4096, stream));
#ifdef DEFECT
  usleep(200000);
#else
  OK(cuStreamSynchronize(stream));
#endif
  // @HERE_2
  OK(cuMemUnmap(range, bytes));
  OK(cuCtxSynchronize());
  // The same memory at other addresses: two mappings, of which one is still in use.
  OK(cuMemMap(range, bytes, 0, memory, 0));
  OK(cuMemMap(range + bytes, bytes, 0, memory, 0));
  OK(cuMemSetAccess(range, 2 * bytes, &access, 1));
  OK(cuMemcpyDtoHAsync(result, range, 4096, stream));
  OK(cuMemUnmap(range + bytes, bytes));
  OK(cuStreamSynchronize(stream));
  OK(cuMemUnmap(range, bytes));
  OK(cuMemRelease(memory));
  OK(cuMemAddressFree(range, 2 * bytes));
  Release(result, stream);
}

int main() {
  Open();
  FreeOfOrderedMemory();
  UnmapWithAPendingDownload();
  Close();
}
