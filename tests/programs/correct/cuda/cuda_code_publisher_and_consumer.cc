// A kernel waits for a flag that a kernel on another stream sets behind its data, because it was
// given one.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction publish = CodeKernel(CODE_PUBLISH), consume = CodeKernel(CODE_CONSUME);
  CUdeviceptr data = NewZeros(128), flag = NewZeros(4), out = NewZeros(128);
  void *published[] = {&data, &flag}, *consumed[] = {&data, &flag, &out};
  OK(cuLaunchKernel(publish, 1, 1, 1, 32, 1, 1, 0, first, published, nullptr));
  OK(cuLaunchKernel(consume, 1, 1, 1, 32, 1, 1, 0, second, consumed, nullptr));
  OK(cuCtxSynchronize());
  Close(out, flag, data, second, first);
}
