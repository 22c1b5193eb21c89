// Defect: An upload of 64 floats reads a block for 10 of them. (A block behind it makes the overrun harmless.)
// Fix: The block has 64.
// EXPECT error host-buffer-overrun cuMemcpyHtoD_v2 at HERE
// EXPECT-PARTY host-block
// EXPECT-FACT needed_bytes=256
#include "common/cuda.h"

int main() {
  Open();
  enum { kCount = 64 };
  CUdeviceptr buffer = NewZeros(kCount * sizeof(float));
#ifdef DEFECT
  float* values = (float*)calloc(10, sizeof(float));
#else
  float* values = (float*)calloc(kCount, sizeof(float));
#endif
  char* behind = (char*)malloc(1000);
  // @HERE
  OK(cuMemcpyHtoD(buffer, values, kCount * sizeof(float)));
  OK(cuMemFree(buffer));
  free(behind);
  free(values);
  Close();
}
