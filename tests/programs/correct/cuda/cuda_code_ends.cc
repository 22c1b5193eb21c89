// Kernels work at the start and the end of an allocation, and not past them.
#include "common/cuda_machine_code.h"

// Kernels get the end of an allocation, which is also the start of freed memory: one works from there to the start of
// the allocation, one does not use the pointer, and for one no thread uses it.
static void CodeEndInFrontOfFreedMemory() {
  CUfunction backwards = CodeKernel(CODE_BACKWARDS), third = CodeKernel(CODE_EVERY_THIRD);
  CUfunction unused = CodeKernel(CODE_UNUSED), set = CodeKernel(CODE_SET);
  const size_t bytes = 2 << 20;
  CUdeviceptr blocks[16];
  for (CUdeviceptr& block : blocks) block = NewZeros(bytes);
  // Two neighbours, if the driver made any; otherwise any two blocks.
  int first = 0, behind = 1;
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 16; ++j) {
      if (blocks[i] + bytes == blocks[j]) first = i, behind = j;
    }
  }
  CUdeviceptr data = blocks[first], end = data + bytes;
  OK(cuMemFree(blocks[behind]));
  int n = 1024, none = 0;
  void* from_the_end[] = {&end, &n};
  OK(cuLaunchKernel(backwards, 4, 1, 1, 256, 1, 1, 0, nullptr, from_the_end, nullptr));
  OK(cuLaunchKernel(third, 4, 1, 1, 256, 1, 1, 0, nullptr, from_the_end, nullptr));
  void* beside[] = {&data, &end, &data};
  OK(cuLaunchKernel(unused, 4, 1, 1, 256, 1, 1, 0, nullptr, beside, nullptr));
  void* nothing[] = {&end, &n, &none};
  OK(cuLaunchKernel(set, 4, 1, 1, 256, 1, 1, 0, nullptr, nothing, nullptr));
  OK(cuCtxSynchronize());
  for (int i = 0; i < 16; ++i) {
    if (i != behind) OK(cuMemFree(blocks[i]));
  }
}

// A kernel counts negative indices from the end of an array, on one stream. Another stream reads the elements that these
// indices would have without that: they lie in front of the array, in the same allocation.
static void CodeNegativeIndex() {
  CUfunction set = CodeKernel(CODE_FROM_END);
  CUdeviceptr data;
  OK(cuMemAlloc(&data, 8192));
  OK(cuMemsetD8(data, 0, 8192));
  OK(cuCtxSynchronize());
  CUstream writer, reader;
  OK(cuStreamCreate(&writer, CU_STREAM_NON_BLOCKING));
  OK(cuStreamCreate(&reader, CU_STREAM_NON_BLOCKING));
  // The last 256 of the 1024 elements behind the first 1024.
  CUdeviceptr array = data + 4096;
  long long size = 1024, first = -256, count = 256;
  void* arguments[] = {&array, &size, &first, &count};
  OK(cuLaunchKernel(set, 1, 1, 1, 256, 1, 1, 0, writer, arguments, nullptr));
  void* host;
  OK(cuMemAllocHost(&host, 4096));
  OK(cuMemcpyDtoHAsync(host, data, 4096, reader));
  OK(cuStreamSynchronize(reader));
  OK(cuStreamSynchronize(writer));
  Release(host, data, writer, reader);
}

// A kernel gets the end of an allocation and writes every third element from there to its start:
// the machine code multiplies the index by a negative number.
static void CodeNegativeStrides() {
  CUfunction every_third = CodeKernel(CODE_EVERY_THIRD);
  CUdeviceptr data = NewMemory(3 * 4096), end = data + 3 * 4096;
  int n = 1024;
  void* arguments[] = {&end, &n};
  OK(cuLaunchKernel(every_third, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  float value;
  OK(cuMemcpyDtoH(&value, data + 2 * 4, 4));
  CHECK(value == 1);
  Release(data);
}

// A kernel gets the end of an allocation and works from there to its start.
static void CodePointerToTheEnd() {
  CUfunction backwards = CodeKernel(CODE_BACKWARDS);
  CUdeviceptr data = NewMemory(4096), end = data + 4096;
  int n = 1024;
  void* arguments[] = {&end, &n};
  OK(cuLaunchKernel(backwards, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  float value;
  OK(cuMemcpyDtoH(&value, data, 4));
  CHECK(value == 1);
  Release(data);
}

// A kernel has more threads than elements and leaves the rest alone, behind which another stream
// works.
static void CodeFewerElementsThanThreads() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction set = CodeKernel(CODE_SET), add = CodeKernel(CODE_ADD);
  CUdeviceptr data = NewZeros(8000), high = data + 4000;
  CUdeviceptr exact = NewZeros(4000);
  int value = 5, count = 1000;
  void *low_part[] = {&data, &value, &count}, *high_part[] = {&high, &value, &count};
  void* sum[] = {&data, &data, &exact, &count};
  OK(cuLaunchKernel(set, 4, 1, 1, 256, 1, 1, 0, first, low_part, nullptr));
  OK(cuLaunchKernel(set, 4, 1, 1, 256, 1, 1, 0, second, high_part, nullptr));
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, first, sum, nullptr));
  OK(cuCtxSynchronize());
  int last;
  OK(cuMemcpyDtoH(&last, data + 7996, 4));
  CHECK(last == 5);
  Release(exact, data, second, first);
}

int main() {
  Open();
  CodeEndInFrontOfFreedMemory();
  CodeNegativeIndex();
  CodeNegativeStrides();
  CodePointerToTheEnd();
  CodeFewerElementsThanThreads();
  Close();
}
