// Kernels on two streams get structures with one common input and halves of one output.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction code_pair = CodeKernel(CODE_PAIR);
  CUdeviceptr in = NewZeros(4096), out = NewZeros(8192);
  struct {
    int count;
    CUdeviceptr in;
    float gain;
    CUdeviceptr out;
  } low = {1024, in, 2, out}, high = {1024, in, 3, out + 4096};
  void *one[] = {&low}, *other[] = {&high};
  OK(cuLaunchKernel(code_pair, 4, 1, 1, 256, 1, 1, 0, first, one, nullptr));
  OK(cuLaunchKernel(code_pair, 4, 1, 1, 256, 1, 1, 0, second, other, nullptr));
  OK(cuCtxSynchronize());
  Close(out, in, second, first);
}
