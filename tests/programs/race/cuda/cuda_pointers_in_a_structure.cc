// Defect: A kernel writes by a pointer in a structure, and its output is downloaded on another
// stream.
// Fix: The download is enqueued to the stream of the kernel.
// EXPECT error race cuMemcpyDtoHAsync_v2 at DOWNLOAD
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-FACT hazard=RAW
// EXPECT-FACT earlier_kernel=code_pair
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction code_pair = CodeKernel(CODE_PAIR);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr out = NewZeros(4096);
  char* result = NewPinned(4096);
  struct {
    int count;
    CUdeviceptr in;
    float gain;
    CUdeviceptr out;
  } pair = {1024, NewZeros(4096), 2, out};
  void* arguments[] = {&pair};
#ifdef DEFECT
  CUstream stream = second;
#else
  CUstream stream = first;
#endif
  // @LAUNCH
  OK(cuLaunchKernel(code_pair, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  // @DOWNLOAD
  OK(cuMemcpyDtoHAsync(result, out, 4096, stream));
  OK(cuCtxSynchronize());
  Close(out, pair.in, result, second, first);
}
