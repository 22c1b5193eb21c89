// A kernel waits for a flag that a kernel on another stream sets behind its data.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction produce = CodeKernel(CODE_PRODUCE), consume = CodeKernel(CODE_CONSUME);
  CUdeviceptr data = NewZeros(128), flag = NewZeros(4), out = NewZeros(128);
  void *produced[] = {&data, &flag}, *consumed[] = {&data, &flag, &out};
  OK(cuLaunchKernel(produce, 1, 1, 1, 32, 1, 1, 0, first, produced, nullptr));
  OK(cuLaunchKernel(consume, 1, 1, 1, 32, 1, 1, 0, second, consumed, nullptr));
  OK(cuCtxSynchronize());
  Close(out, flag, data, second, first);
}
