// Kernels on two streams write rows that they find in one table of pointers, while the table is
// read.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction table_row = CodeKernel(CODE_TABLE);
  CUdeviceptr rows = NewZeros(8192), table = NewZeros(16);
  CUdeviceptr addresses[] = {rows, rows + 4096};
  CUdeviceptr* result = (CUdeviceptr*)NewPinned(16);
  OK(cuMemcpyHtoD(table, addresses, sizeof(addresses)));
  OK(cuCtxSynchronize());
  int low = 0, high = 1;
  void *one[] = {&table, &low}, *other[] = {&table, &high};
  OK(cuLaunchKernel(table_row, 4, 1, 1, 256, 1, 1, 0, first, one, nullptr));
  OK(cuLaunchKernel(table_row, 4, 1, 1, 256, 1, 1, 0, second, other, nullptr));
  OK(cuMemcpyDtoHAsync(result, table, 16, second));
  OK(cuCtxSynchronize());
  CHECK(result[0] == rows);
  float last;
  OK(cuMemcpyDtoH(&last, rows + 8188, 4));
  CHECK(last == 1);
  Close(result, table, rows, second, first);
}
