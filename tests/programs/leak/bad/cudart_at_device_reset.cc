// Page-locked memory is still held when the device is reset.
// EXPECT error leak cudaHostAlloc at CREATED
#include "common/cudart.h"

int main() {
  void* data;
  // @CREATED
  OK(cudaHostAlloc(&data, 4096, cudaHostAllocDefault));
  OK(cudaDeviceReset());
}
