// Defect: Page-locked memory is freed twice.
// Fix: Page-locked memory is freed once.
// EXPECT error double-free cuMemFreeHost at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
#include "common/cuda.h"

int main() {
  Open();
  void* data;
  // @CREATED
  OK(cuMemHostAlloc(&data, 4096, 0));
  // @RELEASED
  OK(cuMemFreeHost(data));
#ifdef DEFECT
  // @HERE
  cuMemFreeHost(data);
#endif
  Close();
}
