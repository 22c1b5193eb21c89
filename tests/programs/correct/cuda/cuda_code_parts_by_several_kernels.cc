// Kernels write parts of buffers, and all of each buffer is read: another kernel, a copy, a kernel
// that finds the memory in a table, or one whose writes have no known bytes writes the other part.
#include "common/cuda_machine_code.h"

static int result[2048];

static void Set(CUdeviceptr out, int n) {
  int value = 1;
  void* arguments[] = {&out, &value, &n};
  OK(cuLaunchKernel(CodeKernel(CODE_SET), 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
}

// Downloads the second half, then reads all by a kernel.
static void Read(CUdeviceptr memory, CUdeviceptr zeros, CUdeviceptr sum) {
  OK(cuMemcpyDtoH(result, memory + 4096, 4096));
  int n = 2048;
  void* arguments[] = {&memory, &zeros, &sum, &n};
  OK(cuLaunchKernel(CodeKernel(CODE_ADD), 8, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
}

int main() {
  Open();
  CUdeviceptr zeros = NewZeros(8192), sum = NewMemory(8192);

  CUdeviceptr twice = NewMemory(8192);
  Set(twice, 1024);
  Set(twice + 4096, 1024);
  Read(twice, zeros, sum);

  CUdeviceptr copied = NewMemory(8192);
  Set(copied, 1024);
  OK(cuMemcpyDtoD(copied + 4096, zeros, 4096));
  Read(copied, zeros, sum);

  // float* table[]
  CUdeviceptr by_table = NewMemory(8192), table = NewMemory(16);
  const CUdeviceptr rows[2] = {by_table, by_table + 4096};
  OK(cuMemcpyHtoD(table, rows, sizeof(rows)));
  Set(by_table, 1024);
  int row = 1;
  void* in_table[] = {&table, &row};
  OK(cuLaunchKernel(CodeKernel(CODE_TABLE), 4, 1, 1, 256, 1, 1, 0, nullptr, in_table, nullptr));
  Read(by_table, zeros, sum);

  // The address is an integer.
  CUdeviceptr by_address = NewMemory(8192);
  Set(by_address, 1024);
  unsigned long long second = by_address + 4096;
  int n = 1024;
  void* at[] = {&second, &n};
  OK(cuLaunchKernel(CodeKernel(CODE_AT), 4, 1, 1, 256, 1, 1, 0, nullptr, at, nullptr));
  Read(by_address, zeros, sum);

  // From the end of the memory.
  CUdeviceptr backwards = NewMemory(8192), end = backwards + 8192;
  Set(backwards, 1024);
  void* from_end[] = {&end, &n};
  OK(cuLaunchKernel(CodeKernel(CODE_BACKWARDS), 4, 1, 1, 256, 1, 1, 0, nullptr, from_end, nullptr));
  Read(backwards, zeros, sum);

  // Where the mask has values: the code does not show which of the bytes are written.
  CUdeviceptr masked = NewMemory(8192), mask = NewZeros(2048);
  Set(masked, 1024);
  OK(cuMemsetD8(mask + 1024, 1, 1024));
  void* by_mask[] = {&zeros, &mask, &masked};
  OK(cuLaunchKernel(CodeKernel(CODE_MASKED), 8, 1, 1, 256, 1, 1, 0, nullptr, by_mask, nullptr));
  Read(masked, zeros, sum);

  // Through the address of other memory, from which an offset leads here.
  CUdeviceptr reached = NewMemory(8192);
  Set(reached, 1024);
  long long first = (static_cast<long long>(reached) - static_cast<long long>(zeros)) / 4;
  void* from_other[] = {&mask, &zeros, &first};
  OK(cuLaunchKernel(CodeKernel(CODE_MASKED_FROM), 8, 1, 1, 256, 1, 1, 0, nullptr, from_other, nullptr));
  Read(reached, zeros, sum);

  OK(cuCtxSynchronize());
  Close(reached, mask, masked, backwards, by_address, table, by_table, copied, twice, sum, zeros);
}
