// Defect: The destination of an upload is a pointer that was declared and never set.
// Fix: The destination of an upload is allocated.
// EXPECT error invalid-pointer cuMemcpyHtoD_v2 at HERE
#include "common/cuda.h"

int main() {
  Open();
  static char data[4096];
  CUdeviceptr buffer = 0;
#ifndef DEFECT
  OK(cuMemAlloc(&buffer, sizeof(data)));
#endif
  // @HERE
  cuMemcpyHtoD(buffer, data, sizeof(data));
#ifndef DEFECT
  OK(cuMemFree(buffer));
#endif
  Close();
}
