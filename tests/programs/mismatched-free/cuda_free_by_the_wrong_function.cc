// Defect: Memory is freed by functions for memory of another kind, and by a pointer that is not its
// beginning.
// Fix: Each block is freed by the function of its kind.
#include "common/cuda.h"

// Defect: A block from malloc is freed as page-locked memory.
// Fix: A block from malloc is freed by free.
// EXPECT error mismatched-free cuMemFreeHost at HERE
// EXPECT-PARTY host-block at BLOCK
static void HostFreeOfMalloc() {
  // @BLOCK
  void* data = malloc(4096);
#ifdef DEFECT
  // @HERE
  cuMemFreeHost(data);
#endif
  free(data);
}

// Defect: Registered host memory is freed as page-locked memory of the driver.
// Fix: Registered host memory is unregistered.
// EXPECT error mismatched-free cuMemFreeHost at HERE_2
static void HostFreeOfRegisteredMemory() {
  void* data = malloc(65536);
  OK(cuMemHostRegister(data, 65536, 0));
#ifdef DEFECT
  // @HERE_2
  cuMemFreeHost(data);
#endif
  OK(cuMemHostUnregister(data));
  free(data);
}

// Defect: Page-locked host memory is freed as device memory.
// Fix: Page-locked host memory is freed by cuMemFreeHost.
// EXPECT error mismatched-free cuMemFree_v2 at HERE_3
// EXPECT-PARTY allocation at CREATED_3
static void DeviceFreeOfHostMemory() {
  void* data;
  // @CREATED_3
  OK(cuMemHostAlloc(&data, 4096, 0));
#ifdef DEFECT
  // @HERE_3
  cuMemFree((CUdeviceptr)data);
#endif
  Release(data);
}

// Defect: A pointer into device memory is freed that is not its beginning.
// Fix: The pointer is freed that the allocation returned.
// EXPECT error mismatched-free cuMemFree_v2 at HERE_4
// EXPECT-PARTY allocation at CREATED_4
static void FreeInsideAllocation() {
  CUdeviceptr buffer;
  // @CREATED_4
  OK(cuMemAlloc(&buffer, 4096));
#ifdef DEFECT
  // @HERE_4
  cuMemFree(buffer + 1024);
#endif
  Release(buffer);
}

// Defect: Page-locked memory of the driver is unregistered instead of freed.
// Fix: Page-locked memory of the driver is freed.
// EXPECT error mismatched-free cuMemHostUnregister at HERE_5
// EXPECT-PARTY allocation at CREATED
static void UnregisterOfPageLockedMemory() {
  void* data;
  // @CREATED
  OK(cuMemHostAlloc(&data, 65536, 0));
#ifdef DEFECT
  // @HERE_5
  cuMemHostUnregister(data);
#endif
  Release(data);
}

int main() {
  Open();
  HostFreeOfMalloc();
  HostFreeOfRegisteredMemory();
  DeviceFreeOfHostMemory();
  FreeInsideAllocation();
  UnregisterOfPageLockedMemory();
  Close();
}
