// Defect: Page-locked memory of the driver is unregistered instead of freed.
// Fix: Page-locked memory of the driver is freed.
// EXPECT error mismatched-free cuMemHostUnregister at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  void* data;
  // @CREATED
  OK(cuMemHostAlloc(&data, 65536, 0));
#ifdef DEFECT
  // @HERE
  cuMemHostUnregister(data);
#endif
  Close(data);
}
