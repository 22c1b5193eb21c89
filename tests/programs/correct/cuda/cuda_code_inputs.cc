// Kernels of two streams read the same inputs, or inputs of which several kernels wrote parts.
#include "common/cuda_machine_code.h"

// A kernel takes each element from one of two inputs. One of them is never written, and no element
// comes from it; the other one is downloaded at the same time.
static void CodeInputByMask() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction pick = CodeKernel(CODE_PICK);
  CUdeviceptr a = NewMemory(4096), b = NewZeros(4096), which = NewZeros(4096),
              out = NewMemory(4096);
  char* result = NewPinned(4096);
  void* arguments[] = {&a, &b, &which, &out};
  OK(cuLaunchKernel(pick, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuMemcpyDtoHAsync(result, b, 4096, second));
  OK(cuCtxSynchronize());
  OK(cuMemcpyDtoH(result, out, 4096));
  Release(result, out, which, b, a, second, first);
}

// Inputs are written in part, and kernels with a thread for each element use the written part: a
// mask selects it, elements are doubled, or the rest is the padding of rows or of the last block.
static void CodeInputsUsedInPart() {
  CUfunction masked = CodeKernel(CODE_MASKED), doubled = CodeKernel(CODE_DOUBLED),
             add = CodeKernel(CODE_ADD);
  static float data[1024];
  static unsigned char mask[1024];
  for (int i = 0; i < 256; ++i) mask[i] = 1;
  CUdeviceptr selected = NewMemory(4096), half = NewMemory(4096), blocks = NewMemory(4096), rows,
              masks = NewMemory(1024), out = NewZeros(4096);
  size_t pitch;
  OK(cuMemAllocPitch(&rows, &pitch, 400, 8, 4));
  CHECK(pitch > 400 && pitch * 8 <= 4096);
  OK(cuMemcpyHtoD(masks, mask, 1024));
  OK(cuMemcpyHtoD(selected, data, 1024));
  OK(cuMemcpyHtoD(half, data, 2048));
  OK(cuMemcpyHtoD(blocks, data, 4000));
  OK(cuMemsetD2D32(rows, pitch, 0, 100, 8));
  void* by_mask[] = {&selected, &masks, &out};
  OK(cuLaunchKernel(masked, 4, 1, 1, 256, 1, 1, 0, nullptr, by_mask, nullptr));
  int n = 1024;
  void* by_half[] = {&half, &out, &n};
  OK(cuLaunchKernel(doubled, 4, 1, 1, 256, 1, 1, 0, nullptr, by_half, nullptr));
  void* last_block[] = {&blocks, &blocks, &out, &n};
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, last_block, nullptr));
  n = (int)(pitch * 8 / 4);
  void* flat[] = {&rows, &rows, &out, &n};
  OK(cuLaunchKernel(add, (unsigned)n / 128, 1, 1, 128, 1, 1, 0, nullptr, flat, nullptr));
  OK(cuCtxSynchronize());
  Release(out, masks, rows, blocks, half, selected);
}

// Kernels on two streams and a download read one buffer, by pointers that are not const.
static void CodeReadersOfOneBuffer() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction copy = CodeKernel(CODE_COPY);
  CUdeviceptr in = NewZeros(4096), a = NewZeros(4096), b = NewZeros(4096);
  char* result = NewPinned(4096);
  void *one[] = {&in, &a}, *other[] = {&in, &b};
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, first, one, nullptr));
  OK(cuMemcpyDtoHAsync(result, in, 4096, second));
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, second, other, nullptr));
  OK(cuCtxSynchronize());
  Release(result, b, a, in, second, first);
}

// Kernels of two streams join inputs into one buffer: one writes behind the part of the other. An
// input with fewer elements than a thread copies leaves the buffer as it is.
static void CodeJoinsOfTwoStreams() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction join = CodeKernel(CODE_JOIN), fill = CodeKernel(CODE_FILL);
  CUdeviceptr in = NewZeros(4096), both = NewZeros(4096), filled = NewZeros(4096);
  Inputs low = {{in, in + 1024}, {0, 256}, {256, 256}};
  Inputs high = {{in + 2048, in + 3072}, {256, 384}, {256, 256}};
  unsigned one = 1, two = 2;
  void *lower[] = {&both, &low, &one}, *upper[] = {&both, &high, &two};
  OK(cuLaunchKernel(join, 1, 2, 1, 128, 1, 1, 0, first, lower, nullptr));
  OK(cuLaunchKernel(join, 1, 2, 1, 128, 1, 1, 0, second, upper, nullptr));
  Inputs few = {{in, in}, {0, 0}, {3, 0}};
  int value = 1;
  void *nothing[] = {&filled, &few, &one}, *all[] = {&filled, &value};
  OK(cuLaunchKernel(join, 1, 2, 1, 128, 1, 1, 0, first, nothing, nullptr));
  OK(cuLaunchKernel(fill, 8, 1, 1, 128, 1, 1, 0, second, all, nullptr));
  OK(cuCtxSynchronize());
  Release(filled, both, in, second, first);
}

// Kernels on two streams change one buffer in place, in turn.
static void CodeInPlaceKernels() {
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
  Release(done, data, second, first);
}

// Kernels write parts of buffers, and all of each buffer is read: another kernel, a copy, a kernel
// that finds the memory in a table, or one whose writes have no known bytes writes the other part.
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

static void CodePartsBySeveralKernels() {
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
  OK(cuLaunchKernel(CodeKernel(CODE_MASKED_FROM), 8, 1, 1, 256, 1, 1, 0, nullptr, from_other,
                    nullptr));
  Read(reached, zeros, sum);

  OK(cuCtxSynchronize());
  Release(reached, mask, masked, backwards, by_address, table, by_table, copied, twice, sum, zeros);
}

int main() {
  Open();
  CodeInputByMask();
  CodeInputsUsedInPart();
  CodeReadersOfOneBuffer();
  CodeJoinsOfTwoStreams();
  CodeInPlaceKernels();
  CodePartsBySeveralKernels();
  Close();
}
