// The driver is initialised first.
#include "common/cuda.h"

int main() {
  OK(cuInit(0));
  cuDeviceGet(&device, 0);
  Open();
  Close();
}
