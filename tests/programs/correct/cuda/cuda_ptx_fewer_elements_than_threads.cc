// A kernel from PTX is launched with more threads than elements: the count keeps it inside of its
// half of the buffer, while another stream fills the other half.
#include "common/cuda_ptx.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction set = PtxKernel(CODE_SET);
  CUdeviceptr data = NewMemory(8000);
  CUdeviceptr high = data + 4000;
  int value = 3, count = 1000;
  void* arguments[] = {&data, &value, &count};
  OK(cuLaunchKernel(set, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuMemsetD32Async(high, 7, 1000, second));
  OK(cuCtxSynchronize());
  int words[2];
  OK(cuMemcpyDtoH(words, data + 3996, 8));
  CHECK(words[0] == 3 && words[1] == 7);
  Close(data, second, first);
}
