// Defect: The source of an upload is device memory.
// Fix: The copy is one from device memory to device memory.
// EXPECT error copy-direction cuMemcpyHtoD_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr from, to = NewMemory(4096);
  // @CREATED
  OK(cuMemAlloc(&from, 4096));
  OK(cuMemsetD8(from, 0, 4096));
#ifdef DEFECT
  // @HERE
  cuMemcpyHtoD(to, (void*)from, 4096);
#else
  OK(cuMemcpyDtoD(to, from, 4096));
#endif
  Close(from, to);
}
