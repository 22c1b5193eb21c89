// Each block fills a row in a loop; two streams fill disjoint rows of one buffer.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction rows = CodeKernel(CODE_BLOCK_ROWS);
  int width = 500;
  CUdeviceptr data = NewMemory(8 * 500 * 4), high = data + 4 * 500 * 4;
  void *low_rows[] = {&data, &width}, *high_rows[] = {&high, &width};
  OK(cuLaunchKernel(rows, 4, 1, 1, 64, 1, 1, 0, first, low_rows, nullptr));
  OK(cuLaunchKernel(rows, 4, 1, 1, 64, 1, 1, 0, second, high_rows, nullptr));
  OK(cuCtxSynchronize());
  float last;
  OK(cuMemcpyDtoH(&last, data + 8 * 500 * 4 - 4, 4));
  CHECK(last == 1);
  Close(data, second, first);
}
