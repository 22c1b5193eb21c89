// Defect: A block from malloc is freed with clSVMFree.
// Fix: A block from malloc is freed with free().
// EXPECT error mismatched-free clSVMFree at HERE
// EXPECT-PARTY host-block at BLOCK
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @BLOCK
  void* data = malloc(4096);
#ifdef DEFECT
  // @HERE
  clSVMFree(context, data);
#else
  free(data);
#endif
  Close();
}
