// Each warp fills 32 elements of a row; two streams fill the left and the right half of the same rows,
// and the last row ends with the buffer.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction rows = CodeKernel(CODE_WARP_ROWS);
  int pitch = 64;
  const size_t bytes = 8 * 64 * sizeof(float);
  CUdeviceptr left = NewMemory(bytes), right = left + 32 * sizeof(float);
  void *of_left[] = {&left, &pitch}, *of_right[] = {&right, &pitch};
  OK(cuLaunchKernel(rows, 2, 1, 1, 128, 1, 1, 0, first, of_left, nullptr));
  OK(cuLaunchKernel(rows, 2, 1, 1, 128, 1, 1, 0, second, of_right, nullptr));
  OK(cuCtxSynchronize());
  float all[8 * 64];
  OK(cuMemcpyDtoH(all, left, bytes));
  for (float one : all) CHECK(one == 1);
  Close(left, second, first);
}
