// Defect: An upload from page-locked memory that has been freed.
// Fix: The page-locked memory of an upload is freed after it.
// EXPECT error use-after-free cuMemcpyHtoD_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer = NewMemory(4096);
  void* data;
  // @CREATED
  OK(cuMemHostAlloc(&data, 4096, 0));
  memset(data, 0, 4096);
#ifndef DEFECT
  cuMemcpyHtoD(buffer, data, 4096);
#endif
  // @RELEASED
  OK(cuMemFreeHost(data));
#ifdef DEFECT
  // @HERE
  cuMemcpyHtoD(buffer, data, 4096);
#endif
  Close(buffer);
}
