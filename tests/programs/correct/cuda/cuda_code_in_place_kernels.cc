// Kernels on two streams change one buffer in place, in turn.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction twice = CodeKernel(CODE_TWICE), fill = CodeKernel(CODE_FILL);
  CUdeviceptr data = NewZeros(4096);
  CUevent done = NewEvent();
  int bits_of_one = 0x3f800000;
  void *filled[] = {&data, &bits_of_one}, *changed[] = {&data};
  OK(cuLaunchKernel(fill, 4, 1, 1, 256, 1, 1, 0, first, filled, nullptr));
  for (int round = 0; round < 4; ++round) {
    CUstream one = round % 2 == 0 ? first : second, other = round % 2 == 0 ? second : first;
    OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, one, changed, nullptr));
    OK(cuEventRecord(done, one));
    OK(cuStreamWaitEvent(other, done, 0));
  }
  OK(cuCtxSynchronize());
  float last;
  OK(cuMemcpyDtoH(&last, data + 4092, 4));
  CHECK(last == 16);
  Close(done, data, second, first);
}
