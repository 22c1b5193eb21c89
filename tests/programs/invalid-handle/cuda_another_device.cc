// Defect: A kernel gets memory of another device, to which its own device has no access.
// Fix: The device has access to the memory.
#include "common/cuda.h"
#include "common/cuda_two_devices.h"

// Defect: A kernel gets memory of another device, whose memory its own device was given no access
// to. (No thread of the launch uses it.)
// Fix: The device of the kernel was given access to the memory. The kernel also gets page-locked
// memory of the host, managed memory and memory of a pool that both devices may use.
// EXPECT error invalid-handle cuLaunchKernel at HERE
// EXPECT-FACT argument~argument 1
// EXPECT-PARTY allocation at CREATED
static void MemoryOfAnotherDevice() {
  const auto [second, other] = OpenTwo();
  int may = 0;
  OK(cuDeviceCanAccessPeer(&may, device, second));
  NEEDS(may);
  OK(cuCtxSetCurrent(other));
#ifdef DEFECT
  CUdeviceptr there;
  // @CREATED
  OK(cuMemAlloc(&there, 4096));
  OK(cuMemsetD8(there, 0, 4096));
#else
  CUdeviceptr there = NewZeros(4096), managed, pooled = 0;
  OK(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
  OK(cuMemsetD8(managed, 0, 4096));
  char* pinned = NewPinned(4096);
  CUmemoryPool pool;
  CUmemAccessDesc access = {};
  const bool pools = Attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED);
  if (pools) {
    OK(cuDeviceGetDefaultMemPool(&pool, second));
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.location.id = device;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    OK(cuMemPoolSetAccess(pool, &access, 1));
    OK(cuMemAllocAsync(&pooled, 4096, nullptr));
    OK(cuMemsetD8Async(pooled, 0, 4096, nullptr));
  }
#endif
  OK(cuCtxSynchronize());
  OK(cuCtxSetCurrent(context));
  CUfunction add = Kernel(KERNEL_ADD);
  CUdeviceptr a = NewZeros(4096), out = NewMemory(4096);
#ifdef DEFECT
  int n = 0;
  void* arguments[] = {&a, &there, &out, &n};
  // @HERE
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
#else
  int n = 1024;
  const CUdeviceptr inputs[] = {managed, (CUdeviceptr)pinned, pooled, there};
  for (int round = 0; round < 4; ++round) {
    for (CUdeviceptr input : inputs) {
      if (input == 0) continue;
      // Managed memory, memory of the host and of the pool need no more than they have.
      const bool enables = input == there;
      if (enables) OK(cuCtxEnablePeerAccess(other, 0));
      void* arguments[] = {&a, &input, &out, &n};
      OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
      OK(cuCtxSynchronize());
      if (enables) OK(cuCtxDisablePeerAccess(other));
    }
  }
#endif
  OK(cuMemFree(out));
  OK(cuMemFree(a));
  OK(cuCtxSetCurrent(other));
#ifndef DEFECT
  if (pools) {
    OK(cuMemFreeAsync(pooled, nullptr));
    OK(cuCtxSynchronize());
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    OK(cuMemPoolSetAccess(pool, &access, 1));
  }
  OK(cuMemFreeHost(pinned));
  OK(cuMemFree(managed));
#endif
  OK(cuMemFree(there));
  OK(cuDevicePrimaryCtxRelease(second));
  OK(cuCtxSetCurrent(context));
  Close();
}

// Defect: A kernel gets memory of another device behind the end of the access to it. (No thread of
// the launch uses it.)
// Fix: The access ends behind the last kernel that gets the memory.
// EXPECT error invalid-handle cuLaunchKernel at LATE
// EXPECT-FACT argument~argument 1
// EXPECT-PARTY allocation at CREATED_2
static void PeerAccessDisabled() {
  const auto [second, other] = OpenTwo();
  int may = 0;
  OK(cuDeviceCanAccessPeer(&may, device, second));
  NEEDS(may);
  OK(cuCtxSetCurrent(other));
  CUdeviceptr there;
  // @CREATED_2
  OK(cuMemAlloc(&there, 4096));
  OK(cuMemsetD8(there, 0, 4096));
  OK(cuCtxSynchronize());
  OK(cuCtxSetCurrent(context));
  CUfunction add = Kernel(KERNEL_ADD);
  CUdeviceptr a = NewZeros(4096), out = NewMemory(4096);
  int n = 0;
  void* arguments[] = {&a, &there, &out, &n};
  OK(cuCtxEnablePeerAccess(other, 0));
  for (int i = 0; i < 8; ++i)
    OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
#ifdef DEFECT
  OK(cuCtxDisablePeerAccess(other));
#endif
  // @LATE
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
#ifndef DEFECT
  OK(cuCtxDisablePeerAccess(other));
#endif
  OK(cuMemFree(out));
  OK(cuMemFree(a));
  OK(cuCtxSetCurrent(other));
  OK(cuMemFree(there));
  OK(cuDevicePrimaryCtxRelease(second));
  OK(cuCtxSetCurrent(context));
  Close();
}

// Defect: A kernel gets memory from a pool of another device, to which its own device was given no
// access. (No thread of the launch uses it.)
// Fix: The device of the kernel was given access to the pool.
// EXPECT error invalid-handle cuLaunchKernel at HERE_2
// EXPECT-FACT argument~argument 1
// EXPECT-PARTY allocation at CREATED_3
// EXPECT-TEXT from a pool of another device
static void PoolOfAnotherDevice() {
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
  // @CREATED_3
  OK(cuMemAllocFromPoolAsync(&there, 4096, pool, stream));
  int n = 0;
  void* arguments[] = {&a, &there, &out, &n};
  // @HERE_2
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  OK(cuMemFreeAsync(there, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemPoolDestroy(pool));
  Close(stream, out, a);
}

int main() {
  MemoryOfAnotherDevice();
  PeerAccessDisabled();
  PoolOfAnotherDevice();
}
