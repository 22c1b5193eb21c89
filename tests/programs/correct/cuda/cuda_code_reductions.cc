// Sums and counts of two streams, by atomics or in parts of one buffer.
#include "common/cuda_machine_code.h"

// Kernels of two streams add the sums of disjoint halves to one word, with atomics.
static void CodeReductionByAtomics() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction sum = CodeKernel(CODE_SUM);
  static float ones[2048];
  for (float& one : ones) one = 1;
  CUdeviceptr in = NewMemory(sizeof(ones)), total = NewZeros(4);
  OK(cuMemcpyHtoD(in, ones, sizeof(ones)));
  CUdeviceptr high = in + sizeof(ones) / 2;
  int count = 1024;
  void *low_half[] = {&in, &total, &count}, *high_half[] = {&high, &total, &count};
  OK(cuLaunchKernel(sum, 4, 1, 1, 256, 1, 1, 0, first, low_half, nullptr));
  OK(cuLaunchKernel(sum, 5, 1, 1, 256, 1, 1, 0, second, high_half, nullptr));
  OK(cuCtxSynchronize());
  float result;
  OK(cuMemcpyDtoH(&result, total, 4));
  CHECK(result == 2048);
  Release(total, in, second, first);
}

// Two streams reduce disjoint halves of one buffer in place: each step adds the upper half of what
// is left to the lower half.
static void CodeReductionInPlace() {
  CUstream streams[2] = {NewStream(), NewStream()};
  CUfunction halves = CodeKernel(CODE_HALVES);
  static float ones[2048];
  for (float& one : ones) one = 1;
  CUdeviceptr data = NewMemory(sizeof(ones));
  OK(cuMemcpyHtoD(data, ones, sizeof(ones)));
  for (int count = 512; count > 0; count /= 2) {
    for (int i = 0; i < 2; ++i) {
      CUdeviceptr own = data + i * 4096u;
      void* arguments[] = {&own, &count};
      OK(cuLaunchKernel(halves, 2, 1, 1, 256, 1, 1, 0, streams[i], arguments, nullptr));
    }
  }
  OK(cuCtxSynchronize());
  float sum;
  OK(cuMemcpyDtoH(&sum, data + 4096, 4));
  CHECK(sum == 1024);
  OK(cuMemFree(data));
  for (CUstream stream : streams) OK(cuStreamDestroy(stream));
}

// Reductions of two streams read one input, write results side by side, and run beside a kernel
// that writes the part of a buffer that they do not read.
static void CodeReductionsOfTwoStreams() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction each = CodeKernel(CODE_EACH), reduce = CodeKernel(CODE_REDUCE);
  CUdeviceptr in = NewZeros(8000), sums = NewZeros(16);
  long long count = 1000;
  int lanes = 2;
  CUdeviceptr high_sums = sums + 8;
  void *low[] = {&in, &sums, &count, &lanes}, *high[] = {&in, &high_sums, &count, &lanes};
  OK(cuLaunchKernel(reduce, 1, 1, 1, 256, 1, 1, 0, first, low, nullptr));
  OK(cuLaunchKernel(reduce, 1, 1, 1, 256, 1, 1, 0, second, high, nullptr));
  Array from = {in, 4000, 1000, 4}, to = {in + 4000, 4000, 1000, 4};
  void* rest[] = {&from, &to, &count};
  OK(cuLaunchKernel(each, 8, 1, 1, 128, 1, 1, 0, second, rest, nullptr));
  // An empty sum reads nothing of what the kernel writes.
  CUdeviceptr written = in + 4000;
  long long none = 0;
  void* empty[] = {&written, &sums, &none, &lanes};
  OK(cuLaunchKernel(reduce, 1, 1, 1, 256, 1, 1, 0, first, empty, nullptr));
  OK(cuCtxSynchronize());
  Release(sums, in, second, first);
}

// A sum that kernels of two streams made with atomics is read by a third kernel behind the events
// of both.
static void CodeSumReadBehindAnEvent() {
  CUstream streams[3] = {NewStream(), NewStream(), NewStream()};
  CUfunction sum = CodeKernel(CODE_SUM), copy = CodeKernel(CODE_COPY);
  CUdeviceptr in = NewZeros(8192), total = NewZeros(4), out = NewMemory(4);
  int count = 1024;
  for (int i = 0; i < 2; ++i) {
    CUdeviceptr half = in + i * 4096u;
    void* arguments[] = {&half, &total, &count};
    OK(cuLaunchKernel(sum, 4, 1, 1, 256, 1, 1, 0, streams[i], arguments, nullptr));
    CUevent done;
    OK(cuEventCreate(&done, CU_EVENT_DISABLE_TIMING));
    OK(cuEventRecord(done, streams[i]));
    OK(cuStreamWaitEvent(streams[2], done, 0));
    OK(cuEventDestroy(done));
  }
  void* arguments[] = {&total, &out};
  OK(cuLaunchKernel(copy, 1, 1, 1, 1, 1, 1, 0, streams[2], arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(out));
  OK(cuMemFree(total));
  OK(cuMemFree(in));
  for (CUstream stream : streams) OK(cuStreamDestroy(stream));
}

// Kernels on two streams add to the same counters atomically, and read the same keys.
static void CodeCountersOfTwoStreams() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction count = CodeKernel(CODE_COUNT);
  CUdeviceptr counters = NewZeros(256), keys = NewZeros(4096);
  void* arguments[] = {&counters, &keys};
  OK(cuLaunchKernel(count, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuLaunchKernel(count, 4, 1, 1, 256, 1, 1, 0, second, arguments, nullptr));
  OK(cuCtxSynchronize());
  unsigned sum;
  OK(cuMemcpyDtoH(&sum, counters, 4));
  CHECK(sum == 2048);
  Release(keys, counters, second, first);
}

// The host copies the counter of a sum while the sum may run, and overwrites what the sum has read once all blocks are
// counted.
static void CodeCopiesTheCountOfATotal() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction sum = CodeKernel(CODE_TOTAL);
  Total total = {NewZeros(4000), NewZeros(4), NewZeros(16), NewZeros(4), 1000};
  void* summed[] = {&total};
  OK(cuLaunchKernel(sum, 1, 1, 1, 256, 1, 1, 0, first, summed, nullptr));
  unsigned arrived = 0;
  OK(cuMemcpyDtoHAsync(&arrived, total.arrived, 4, second));
  OK(cuStreamSynchronize(second));
  if (arrived == 0) OK(cuStreamSynchronize(first));
  OK(cuMemsetD32Async(total.in, 1, 1000, second));
  OK(cuCtxSynchronize());
  Release(total.arrived, total.partial, total.sum, total.in, second, first);
}

// A sum is launched with all blocks that the device runs, and with partial sums for exactly these. The input has fewer
// elements than the grid has threads. Its last launch has a pointer into the middle of the partial sums.
static void CodePartialSumsOfSomeBlocks() {
  CUfunction sum = CodeKernel(CODE_TOTAL);
  CUdeviceptr partial = NewZeros(32);
  Total total = {NewZeros(40), NewZeros(4), partial, NewZeros(4), 10};
  void* arguments[] = {&total};
  OK(cuLaunchKernel(sum, 8, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  total.partial = partial + 16;
  OK(cuMemsetD32(total.arrived, 0, 1));
  OK(cuLaunchKernel(sum, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Release(total.arrived, partial, total.sum, total.in);
}

int main() {
  Open();
  CodeReductionByAtomics();
  CodeReductionInPlace();
  CodeReductionsOfTwoStreams();
  CodeSumReadBehindAnEvent();
  CodeCountersOfTwoStreams();
  CodeCopiesTheCountOfATotal();
  CodePartialSumsOfSomeBlocks();
  Close();
}
