// Defect: Page-locked memory is still held when the device is reset.
// Fix: Page-locked memory is freed before the device is reset.
// EXPECT error leak cudaHostAlloc at CREATED
#include "common/cudart.h"

int main() {
  void* data;
  // @CREATED
  OK(cudaHostAlloc(&data, 4096, cudaHostAllocDefault));
#ifndef DEFECT
  OK(cudaFreeHost(data));
#endif
  OK(cudaDeviceReset());
}
