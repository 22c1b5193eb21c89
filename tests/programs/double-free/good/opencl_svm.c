// Shared virtual memory is freed once.
#include "common/opencl.h"

int main(void) {
  Open(0);
  void* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  clSVMFree(context, shared);
  Close();
}
