// Defect: Device memory is freed twice.
// Fix: Device memory is freed once.
// EXPECT error double-free cuMemFree_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
  // @RELEASED
  OK(cuMemFree(buffer));
#ifdef DEFECT
  // @HERE
  cuMemFree(buffer);
#endif
  Close();
}
