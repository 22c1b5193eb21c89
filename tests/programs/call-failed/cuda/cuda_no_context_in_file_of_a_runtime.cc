// Defect: A program that contains a CUDA runtime allocates memory with the driver, and no context is
// current.
// Fix: A context is current.
// EXPECT warning call-failed cuMemAlloc_v2 CUDA_ERROR_INVALID_CONTEXT at HERE
#include "common/cuda.h"

int main() {
  OK(cuInit(0));
  // With this look-up a runtime begins.
  void* function = nullptr;
  CUdriverProcAddressQueryResult found;
  cuGetProcAddress("", &function, 0, 0, &found);
#ifndef DEFECT
  Open();
#endif
  CUdeviceptr memory = 0;
  // @HERE
  cuMemAlloc(&memory, 4096);
#ifdef DEFECT
  Open();
#else
  OK(cuMemFree(memory));
#endif
  Close();
}
