// Page-locked memory is freed before the device is reset.
#include "common/cudart.h"

int main() {
  void* data;
  OK(cudaHostAlloc(&data, 4096, cudaHostAllocDefault));
  OK(cudaFreeHost(data));
  OK(cudaDeviceReset());
}
