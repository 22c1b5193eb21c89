// Defect freed: Page-locked memory is freed while a copy into it is pending.
// EXPECT warning host-free-in-flight cuMemFreeHost at HERE
// EXPECT-PARTY pending-command at COPY
// EXPECT-PARTY host-block at BLOCK
// EXIT any
// Defect unregistered: Host memory is unregistered while a copy from it is pending.
// EXPECT warning host-free-in-flight cuMemHostUnregister at HERE_2
// EXPECT-PARTY pending-command at COPY_2
// EXIT any
// Defect of_registered_memory: A host block is freed while it is registered.
// EXPECT error host-free-in-flight free at HERE_3
// EXPECT-PARTY host-block at BLOCK_2
// EXPECT-PARTY allocation at REGISTERED
// Fix: The program waits for the copy.
#include "common/cuda.h"

// Fix: Page-locked memory is freed after the wait for the copy into it.
static void Freed() {
  CUstream stream = NewStream();
  CUdeviceptr buffer = NewZeros(1 << 20);
  void* data;
  // @BLOCK
  OK(cuMemAllocHost(&data, 1 << 20));
  // @COPY
  OK(cuMemcpyDtoHAsync(data, buffer, 1 << 20, stream));
#ifndef DEFECT_freed
  OK(cuStreamSynchronize(stream));
#endif
  // @HERE
  OK(cuMemFreeHost(data));
  OK(cuStreamSynchronize(stream));
  Release(buffer, stream);
}

// Fix: Host memory is unregistered after the wait for the copy from it.
static void Unregistered() {
  CUstream stream = NewStream();
  CUdeviceptr buffer = NewZeros(1 << 20);
  char* data = (char*)calloc(1, 1 << 20);
  OK(cuMemHostRegister(data, 1 << 20, 0));
  // @COPY_2
  OK(cuMemcpyHtoDAsync(buffer, data, 1 << 20, stream));
#ifndef DEFECT_unregistered
  OK(cuStreamSynchronize(stream));
#endif
  // @HERE_2
  OK(cuMemHostUnregister(data));
  OK(cuStreamSynchronize(stream));
  free(data);
  Release(buffer, stream);
}

// Fix: A host block is freed after its unregistration.
static void OfRegisteredMemory() {
  // @BLOCK_2
  char* data = (char*)malloc(65536);
  // @REGISTERED
  OK(cuMemHostRegister(data, 65536, 0));
#ifndef DEFECT_of_registered_memory
  OK(cuMemHostUnregister(data));
#endif
  // @HERE_3
  free(data);
#ifdef DEFECT_of_registered_memory
  cuMemHostUnregister(data);
#endif
}

int main() {
  Open();
  Freed();
  Unregistered();
  OfRegisteredMemory();
  Close();
}
