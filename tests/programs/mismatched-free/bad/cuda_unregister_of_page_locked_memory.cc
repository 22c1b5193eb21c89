// Page-locked memory of the driver is unregistered instead of freed.
// EXPECT error mismatched-free cuMemHostUnregister at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  void* data;
  // @CREATED
  OK(cuMemHostAlloc(&data, 65536, 0));
  // @HERE
  cuMemHostUnregister(data);
  OK(cuMemFreeHost(data));
  Close();
}
