// Defect: The program allocates memory before a context is current, ignores the error, and uses the
// pointer.
// Fix: A context is current at the allocation.
// EXPECT warning call-failed cuMemAlloc_v2 CUDA_ERROR_INVALID_CONTEXT at FAILED
// EXPECT error error-ignored cuMemcpyHtoD_v2 at HERE
// EXPECT-PARTY failed-call at FAILED
// EXPECT-TEXT CUDA_ERROR_INVALID_CONTEXT
#include "common/cuda.h"

int main() {
  OK(cuInit(0));
  static char data[4096];
  CUdeviceptr buffer = 0;
#ifndef DEFECT
  Open();
#endif
  // @FAILED
  cuMemAlloc(&buffer, sizeof(data));
#ifdef DEFECT
  Open();
#endif
  // @HERE
  cuMemcpyHtoD(buffer, data, sizeof(data));
  if (buffer) OK(cuMemFree(buffer));
  Close();
}
