// Defect: Registered host memory is freed as page-locked memory of the driver.
// Fix: Registered host memory is unregistered.
// EXPECT error mismatched-free cuMemFreeHost at HERE
#include "common/cuda.h"

int main() {
  Open();
  void* data = malloc(65536);
  OK(cuMemHostRegister(data, 65536, 0));
#ifdef DEFECT
  // @HERE
  cuMemFreeHost(data);
#endif
  OK(cuMemHostUnregister(data));
  free(data);
  Close();
}
