// Defect: A copy on another stream reads what a kernel writes whose threads sleep first. A sleep is
// no wait for other work.
// Fix: The stream of the copy waits for the kernel.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-FACT hazard=RAW
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction delayed = CodeKernel(CODE_DELAYED);
  CUdeviceptr data = NewZeros(128);
  int count = 32;
  void* arguments[] = {&data, &count};
  OK(cuLaunchKernel(delayed, 1, 1, 1, 32, 1, 1, 0, first, arguments, nullptr));
#ifndef DEFECT
  OK(cuStreamSynchronize(first));
#endif
  int result[32];
  // @HERE
  OK(cuMemcpyDtoHAsync(result, data, sizeof(result), second));
  OK(cuCtxSynchronize());
  OK(cuMemFree(data));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  Close();
}
