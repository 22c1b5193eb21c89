// Defect: The program calls the driver before cuInit.
// Fix: The program calls cuInit first.
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
