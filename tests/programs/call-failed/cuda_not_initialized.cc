// Defect: The driver is called before it is initialised.
// Fix: The driver is initialised first.
// EXPECT warning call-failed cuDeviceGet CUDA_ERROR_NOT_INITIALIZED at HERE
#include "common/cuda.h"

int main() {
#ifndef DEFECT
  OK(cuInit(0));
#endif
  // @HERE
  cuDeviceGet(&device, 0);
  Open();
  Close();
}
