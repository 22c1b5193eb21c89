// The driver is called before it is initialised.
// EXPECT warning call-failed cuDeviceGet CUDA_ERROR_NOT_INITIALIZED at HERE
#include "common/cuda.h"

int main() {
  // @HERE
  cuDeviceGet(&device, 0);
  Open();
  Close();
}
