// Registered host memory is freed as page-locked memory of the driver.
// EXPECT error mismatched-free cuMemFreeHost at HERE
#include "common/cuda.h"

int main() {
  Open();
  void* data = malloc(65536);
  OK(cuMemHostRegister(data, 65536, 0));
  // @HERE
  cuMemFreeHost(data);
  OK(cuMemHostUnregister(data));
  free(data);
  Close();
}
