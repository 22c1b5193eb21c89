// A kernel writes to its memory.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction poke = Kernel(KERNEL_POKE);
  CUdeviceptr buffer = NewMemory(4096);
  long index = 1023;
  void* arguments[] = {&buffer, &index};
  OK(cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  cuCtxSynchronize();
  char result[4];
  cuMemcpyDtoH(result, buffer, 4);
  cuCtxSynchronize();
  cuMemFree(buffer);
}
