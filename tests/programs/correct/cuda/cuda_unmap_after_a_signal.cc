// A kernel writes to mapped memory when it has read its input. The host then takes the addresses of the input away by
// cuMemUnmap, without a wait of the API.
#include <unistd.h>

#include "common/cuda.h"

int main() {
  Open();
  CUfunction copy = Kernel(KERNEL_COPY);
  CUstream stream = NewStream();
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemAccessDesc access = {properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  size_t bytes;
  OK(cuMemGetAllocationGranularity(&bytes, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  float* mapped = (float*)NewPinned(4096);
  mapped[0] = 5;
  CUmemGenericAllocationHandle memory;
  CUdeviceptr range, out = (CUdeviceptr)mapped;
  OK(cuMemCreate(&memory, bytes, &properties, 0));
  OK(cuMemAddressReserve(&range, bytes, 0, 0, 0));
  OK(cuMemMap(range, bytes, 0, memory, 0));
  OK(cuMemSetAccess(range, bytes, &access, 1));
  OK(cuMemsetD8Async(range, 0, bytes, stream));
  void* arguments[] = {&range, &out};
  OK(cuLaunchKernel(copy, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
  while (*(volatile float*)mapped != 0) usleep(1000);
  OK(cuMemUnmap(range, bytes));
  OK(cuStreamSynchronize(stream));
  OK(cuMemRelease(memory));
  OK(cuMemAddressFree(range, bytes));
  Close(mapped, stream);
}
