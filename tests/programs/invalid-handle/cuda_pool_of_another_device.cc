// Defect: A kernel gets memory from a pool of another device, to which its own device was given no
// access. (No thread of the launch uses it.)
// Fix: The device of the kernel was given access to the pool.
// EXPECT error invalid-handle cuLaunchKernel at HERE
// EXPECT-FACT argument~argument 1
// EXPECT-PARTY allocation at CREATED
// EXPECT-TEXT from a pool of another device
#include "common/cuda.h"

int main() {
  Open();
  int devices = 0, may = 0;
  OK(cuDeviceGetCount(&devices));
  NEEDS(devices > 1 && Attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED));
  CUdevice second;
  OK(cuDeviceGet(&second, 1));
  OK(cuDeviceCanAccessPeer(&may, device, second));
  NEEDS(may);
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = second;
  CUmemoryPool pool;
  OK(cuMemPoolCreate(&pool, &properties));
#ifndef DEFECT
  CUmemAccessDesc access = {};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.location.id = device;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  OK(cuMemPoolSetAccess(pool, &access, 1));
#endif
  CUfunction add = Kernel(KERNEL_ADD);
  CUstream stream = NewStream();
  CUdeviceptr a = NewZeros(4096), out = NewMemory(4096), there;
  // @CREATED
  OK(cuMemAllocFromPoolAsync(&there, 4096, pool, stream));
  int n = 0;
  void* arguments[] = {&a, &there, &out, &n};
  // @HERE
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  OK(cuMemFreeAsync(there, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemPoolDestroy(pool));
  Close(stream, out, a);
}
