// Defect: The driver refuses an upload. The program ignores the error and downloads what the upload
// should have written.
// Fix: The upload succeeds.
// EXPECT error copy-out-of-bounds cuMemcpyHtoD_v2 at FAILED
// EXPECT error error-ignored cuMemcpyDtoH_v2 at HERE
// EXPECT-PARTY failed-call at FAILED
#include "common/cuda.h"

int main() {
  Open();
  static char data[8192], result[4096];
  CUdeviceptr buffer = NewMemory(4096);
#ifdef DEFECT
  const size_t bytes = 8192;
#else
  const size_t bytes = 4096;
#endif
  // @FAILED
  cuMemcpyHtoD(buffer, data, bytes);
  // @HERE
  OK(cuMemcpyDtoH(result, buffer, sizeof(result)));
  Close(buffer);
}
