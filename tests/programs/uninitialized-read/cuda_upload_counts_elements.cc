// Defect: An upload counts elements instead of bytes, and the whole allocation is downloaded.
// Fix: The upload covers all bytes of the allocation.
// EXPECT warning uninitialized-read cuMemcpyDtoH_v2 at HERE
// EXPECT-FACT written_bytes=1024
#include "common/cuda.h"

int main() {
  Open();
  const size_t count = 1024;
  float* values = static_cast<float*>(calloc(count, sizeof(float)));
  CUdeviceptr memory;
  OK(cuMemAlloc(&memory, count * sizeof(float)));
#ifdef DEFECT
  OK(cuMemcpyHtoD(memory, values, count));
#else
  OK(cuMemcpyHtoD(memory, values, count * sizeof(float)));
#endif
  // @HERE
  OK(cuMemcpyDtoH(values, memory, count * sizeof(float)));
  OK(cuMemFree(memory));
  free(values);
  Close();
}
