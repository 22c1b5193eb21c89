// Kernels get addresses in several ways, and do not use all of the memory that they get.
#include "common/cuda_machine_code.h"
#include "common/cuda_mapped.h"

// A kernel writes memory whose address it gets as an integer of 64 bits. The memory is then
// downloaded.
static void CodeAddressInAnInteger() {
  CUfunction at = CodeKernel(CODE_AT);
  CUdeviceptr data = NewMemory(4096);
  static float result[1024];
  unsigned long long address = data;
  int count = 1024;
  void* arguments[] = {&address, &count};
  OK(cuLaunchKernel(at, 8, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuMemcpyDtoH(result, data, 4096));
  Release(data);
}

// A kernel gets one buffer as input and output, beside a copy of another part of the allocation.
static void CodeAliasingArguments() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction copy = CodeKernel(CODE_COPY);
  CUdeviceptr data = NewZeros(8192);
  char* result = NewPinned(4096);
  void* arguments[] = {&data, &data};
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuMemcpyDtoHAsync(result, data + 4096, 4096, second));
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuCtxSynchronize());
  Release(result, data, second, first);
}

// A memset on another stream writes a buffer that a kernel gets and does not use.
static void CodeArgumentThatIsNotUsed() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction unused = CodeKernel(CODE_UNUSED);
  CUdeviceptr in = NewZeros(4096), other = NewZeros(4096), out = NewZeros(4096);
  void* arguments[] = {&in, &other, &out};
  OK(cuLaunchKernel(unused, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuMemsetD8Async(other, 1, 4096, second));
  OK(cuCtxSynchronize());
  Release(out, other, in, second, first);
}

// Kernels on two streams get the same two buffers, and an argument says which of them each writes.
// The other one is set at the same time.
static void CodeArgumentUsedByCondition() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction choose = CodeKernel(CODE_CHOOSE);
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096);
  int yes = 1, no = 0;
  void *one[] = {&a, &b, &yes}, *other[] = {&a, &b, &no};
  OK(cuLaunchKernel(choose, 4, 1, 1, 256, 1, 1, 0, first, one, nullptr));
  OK(cuLaunchKernel(choose, 4, 1, 1, 256, 1, 1, 0, second, other, nullptr));
  OK(cuCtxSynchronize());
  OK(cuLaunchKernel(choose, 4, 1, 1, 256, 1, 1, 0, second, other, nullptr));
  OK(cuMemsetD8Async(a, 0, 4096, first));
  OK(cuCtxSynchronize());
  float value;
  OK(cuMemcpyDtoH(&value, b + 4092, 4));
  CHECK(value == 1);
  Release(b, a, second, first);
}

// Structures and plain arguments keep pointers to freed memory and NULL, and an argument or a
// condition keeps the kernels from using them.
static void CodeDeadPointersThatAreNotUsed() {
  CUfunction unused = CodeKernel(CODE_UNUSED), tiles = CodeKernel(CODE_TILES),
             choose = CodeKernel(CODE_CHOOSE), set = CodeKernel(CODE_SET);
  CUdeviceptr in = NewZeros(4096), out = NewMemory(4096), null = 0, freed = NewMemory(4096);
  void* not_used[] = {&in, &null, &out};
  OK(cuLaunchKernel(unused, 4, 1, 1, 256, 1, 1, 0, nullptr, not_used, nullptr));
  int first = 1;
  void* not_chosen[] = {&out, &null, &first};
  OK(cuLaunchKernel(choose, 4, 1, 1, 256, 1, 1, 0, nullptr, not_chosen, nullptr));
  OK(cuMemFree(freed));
  void* freed_not_chosen[] = {&out, &freed, &first};
  OK(cuLaunchKernel(choose, 4, 1, 1, 256, 1, 1, 0, nullptr, freed_not_chosen, nullptr));
  int value = 1, none = 0;
  void* sets_nothing[] = {&freed, &value, &none};
  OK(cuLaunchKernel(set, 4, 1, 1, 256, 1, 1, 0, nullptr, sets_nothing, nullptr));
  OK(cuCtxSynchronize());
  struct {
    alignas(16) CUdeviceptr out, in;
  } buffers = {out, in};
  OK(cuMemFree(out));
  OK(cuMemFree(in));
  // No element is left to do.
  int n = 0;
  void* nothing[] = {&n, &buffers};
  OK(cuLaunchKernel(tiles, 1, 1, 1, 128, 1, 1, 0, nullptr, nothing, nullptr));
  OK(cuCtxSynchronize());
}

// Kernels on two streams write rows that they find in one table of pointers, while the table is
// read.
static void CodePointerTable() {
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
  Release(result, table, rows, second, first);
}

// A kernel reads memory to which its device has read access only, through a parameter that is not
// const. Another kernel may write it, but writes nothing. Then the access changes, and it writes.
static void CodeReadsReadOnlyMapping() {
  const size_t bytes = PhysicalPiece();
  CUfunction set = CodeKernel(CODE_SET), copy = CodeKernel(CODE_COPY);
  CUmemGenericAllocationHandle memory = NewPhysical(bytes);
  CUdeviceptr address, out = NewMemory(256);
  OK(cuMemAddressReserve(&address, bytes, 0, 0, 0));
  Map(address, bytes, memory);
  OK(cuMemsetD8(address, 0, bytes));
  OK(cuCtxSynchronize());
  SetAccess(address, bytes, CU_MEM_ACCESS_FLAGS_PROT_READ);
  void* copied[] = {&address, &out};
  OK(cuLaunchKernel(copy, 1, 1, 1, 64, 1, 1, 0, nullptr, copied, nullptr));
  int value = 3, count = 0;
  void* arguments[] = {&address, &value, &count};
  OK(cuLaunchKernel(set, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  SetAccess(address, bytes, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  count = 64;
  OK(cuLaunchKernel(set, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(out));
  OK(cuMemUnmap(address, bytes));
  OK(cuMemRelease(memory));
  OK(cuMemAddressFree(address, bytes));
}

int main() {
  Open();
  CodeAddressInAnInteger();
  CodeAliasingArguments();
  CodeArgumentThatIsNotUsed();
  CodeArgumentUsedByCondition();
  CodeDeadPointersThatAreNotUsed();
  CodePointerTable();
  CodeReadsReadOnlyMapping();
  Close();
}
