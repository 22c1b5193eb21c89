// Kernels on two streams write the left and the right columns of one matrix.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction rows = CodeKernel(CODE_ROWS);
  CUdeviceptr matrix = NewZeros(64 * 64 * 4), right = matrix + 32 * 4;
  int width = 32, height = 64, pitch = 64;
  void* left_part[] = {&matrix, &width, &height, &pitch};
  void* right_part[] = {&right, &width, &height, &pitch};
  OK(cuLaunchKernel(rows, 2, 8, 1, 16, 8, 1, 0, first, left_part, nullptr));
  OK(cuLaunchKernel(rows, 2, 8, 1, 16, 8, 1, 0, second, right_part, nullptr));
  OK(cuCtxSynchronize());
  float last;
  OK(cuMemcpyDtoH(&last, matrix + 64 * 64 * 4 - 4, 4));
  CHECK(last == 1);
  Close(matrix, second, first);
}
