// A download into page-locked memory is as long as the memory.
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer = NewZeros(8192);
  void* result;
  const size_t block = 8192;
  OK(cuMemHostAlloc(&result, block, CU_MEMHOSTALLOC_PORTABLE));
  cuMemcpyDtoH(result, buffer, 8192);
  OK(cuMemFreeHost(result));
  OK(cuMemFree(buffer));
  Close();
}
