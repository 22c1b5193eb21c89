// Shared virtual memory is freed with free().
// EXPECT error mismatched-free free at HERE
// EXPECT-PARTY allocation at CREATED
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @CREATED
  void* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  // @HERE
  free(shared);
  Close();
}
