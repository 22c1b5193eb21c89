// Defect: Copies and frees get NULL, or an address that no allocation has.
// Fix: The address is that of an allocation.
#include "common/cuda.h"

// Defect: An upload from NULL.
// Fix: An upload from a host block.
// EXPECT error invalid-pointer cuMemcpyHtoD_v2 at HERE
static void UploadFromNull() {
  static char array[4096];
#ifdef DEFECT
  const char* data = nullptr;
#else
  const char* data = array;
#endif
  CUdeviceptr buffer = NewMemory(4096);
  // @HERE
  cuMemcpyHtoD(buffer, data, 4096);
  Release(buffer);
}

// Defect: The destination of an upload is a pointer that was declared and never set.
// Fix: The destination of an upload is allocated.
// EXPECT error invalid-pointer cuMemcpyHtoD_v2 at HERE_2
static void UploadToNull() {
  static char data[4096];
  CUdeviceptr buffer = 0;
#ifndef DEFECT
  OK(cuMemAlloc(&buffer, sizeof(data)));
#endif
  // @HERE_2
  cuMemcpyHtoD(buffer, data, sizeof(data));
#ifndef DEFECT
  OK(cuMemFree(buffer));
#endif
}

// Defect: A download from an address that no allocation has.
// Fix: A download from an allocation.
// EXPECT error invalid-pointer cuMemcpyDtoH_v2 at HERE_3
static void NeverAllocated() {
  static char result[4096];
  CUdeviceptr buffer = NewZeros(4096);
#ifdef DEFECT
  CUdeviceptr from = 0x1234500;
#else
  CUdeviceptr from = buffer;
#endif
  // @HERE_3
  cuMemcpyDtoH(result, from, sizeof(result));
  Release(buffer);
}

// Defect: A variable that no allocation has set is freed, by each call that frees memory of the
// device.
// Fix: Each variable is freed that an allocation has set.
// EXPECT error invalid-pointer cuMemFree_v2 at HERE_4
// EXPECT error invalid-pointer cuMemFreeAsync at ORDERED
static void FreeOfWhatWasNeverAllocated() {
  CUstream stream = NewStream();
#ifdef DEFECT
  CUdeviceptr buffer = 0x1234500;
  // @HERE_4
  FAILS(CUDA_ERROR_INVALID_VALUE, cuMemFree(buffer));
  // @ORDERED
  FAILS(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(buffer, stream));
#else
  CUdeviceptr buffer = NewMemory(4096), ordered;
  OK(cuMemAllocAsync(&ordered, 4096, stream));
  OK(cuMemFree(buffer));
  OK(cuMemFreeAsync(ordered, stream));
#endif
  Release(stream);
}

int main() {
  Open();
  UploadFromNull();
  UploadToNull();
  NeverAllocated();
  FreeOfWhatWasNeverAllocated();
  Close();
}
