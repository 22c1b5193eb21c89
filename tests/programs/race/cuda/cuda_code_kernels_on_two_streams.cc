// Defect: The default stream reads what kernels of another stream write, without a wait.
// Fix: The default stream waits for the other stream.
#include "common/cuda_machine_code.h"

// Defect: The default stream reads what an unrolled loop of another stream writes, without a wait.
// Fix: It waits for an event behind the kernel.
// EXPECT error race cuLaunchKernel at HERE
// EXPECT-FACT hazard=RAW
static void CodeEachOnTwoStreams() {
  CUstream side = NewStream();
  CUfunction each = CodeKernel(CODE_EACH);
  long long count = 1000;
  Array a = {NewZeros(4000), 4000, 1000, 4}, b = {NewZeros(4000), 4000, 1000, 4},
        c = {NewZeros(4000), 4000, 1000, 4};
  void *first[] = {&a, &b, &count}, *second[] = {&b, &c, &count};
  OK(cuLaunchKernel(each, 8, 1, 1, 128, 1, 1, 0, side, first, nullptr));
#ifndef DEFECT
  StreamWait(nullptr, side);
#endif
  // @HERE
  OK(cuLaunchKernel(each, 8, 1, 1, 128, 1, 1, 0, nullptr, second, nullptr));
  OK(cuCtxSynchronize());
  Release(c.data, b.data, a.data, side);
}

// Defect: The default stream reads a matrix that a kernel on another stream transposes, without a
// wait.
// Fix: It waits for an event behind the kernel.
// EXPECT error race cuLaunchKernel at HERE_2
// EXPECT-FACT hazard=RAW
static void CodeLayoutOnTwoStreams() {
  CUstream side = NewStream();
  CUfunction lay_out = CodeKernel(CODE_LAYOUT), copy = CodeKernel(CODE_COPY);
  CUdeviceptr matrix = NewZeros(4096), out = NewZeros(4096);
  int count = 1024;
  // 32 rows of 32 elements, columns first.
  Layout layout = {2, {{32, 0, 5}, {32, 0, 5}}, {128, 4}};
  void *first[] = {&count, &layout, &matrix}, *second[] = {&matrix, &out};
  OK(cuLaunchKernel(lay_out, 8, 1, 1, 128, 1, 1, 0, side, first, nullptr));
#ifndef DEFECT
  StreamWait(nullptr, side);
#endif
  // @HERE_2
  OK(cuLaunchKernel(copy, 8, 1, 1, 128, 1, 1, 0, nullptr, second, nullptr));
  OK(cuCtxSynchronize());
  Release(out, matrix, side);
}

// Defect: The default stream sums what an unrolled loop of another stream writes, without a wait.
// Fix: It waits for an event behind the kernel.
// EXPECT error race cuLaunchKernel at HERE_3
// EXPECT-FACT hazard=RAW
static void CodeReductionOnTwoStreams() {
  CUstream side = NewStream();
  CUfunction each = CodeKernel(CODE_EACH), reduce = CodeKernel(CODE_REDUCE);
  long long count = 1000;
  Array a = {NewZeros(4000), 4000, 1000, 4}, b = {NewZeros(4000), 4000, 1000, 4};
  CUdeviceptr sum = NewZeros(4);
  int lanes = 1;
  void *first[] = {&a, &b, &count}, *second[] = {&b.data, &sum, &count, &lanes};
  OK(cuLaunchKernel(each, 8, 1, 1, 128, 1, 1, 0, side, first, nullptr));
#ifndef DEFECT
  StreamWait(nullptr, side);
#endif
  // @HERE_3
  OK(cuLaunchKernel(reduce, 1, 1, 1, 256, 1, 1, 0, nullptr, second, nullptr));
  OK(cuCtxSynchronize());
  Release(sum, b.data, a.data, side);
}

// Defect: The default stream reads managed memory that a kernel of another stream writes, without a
// wait.
// Fix: It waits for an event behind the kernel.
// EXPECT error race cuLaunchKernel at HERE_4
// EXPECT-FACT hazard=RAW
static void CodeManagedMemory() {
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY));
  CUstream side = NewStream();
  CUfunction each = CodeKernel(CODE_EACH);
  long long count = 1000;
  CUdeviceptr managed;
  OK(cuMemAllocManaged(&managed, 4000, CU_MEM_ATTACH_GLOBAL));
  Array a = {NewZeros(4000), 4000, 1000, 4}, b = {managed, 4000, 1000, 4},
        c = {NewZeros(4000), 4000, 1000, 4};
  void *first[] = {&a, &b, &count}, *second[] = {&b, &c, &count};
  OK(cuLaunchKernel(each, 8, 1, 1, 128, 1, 1, 0, side, first, nullptr));
#ifndef DEFECT
  StreamWait(nullptr, side);
#endif
  // @HERE_4
  OK(cuLaunchKernel(each, 8, 1, 1, 128, 1, 1, 0, nullptr, second, nullptr));
  OK(cuCtxSynchronize());
  Release(c.data, managed, a.data, side);
}

// Defect: A copy on another stream reads what a kernel writes whose threads sleep first. A sleep is
// no wait for other work.
// Fix: The stream of the copy waits for the kernel.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE_5
// EXPECT-FACT hazard=RAW
static void CodeReadWhileThreadsSleep() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction delayed = CodeKernel(CODE_DELAYED);
  CUdeviceptr data = NewZeros(128);
  int count = 32;
  void* arguments[] = {&data, &count};
  OK(cuLaunchKernel(delayed, 1, 1, 1, 32, 1, 1, 0, first, arguments, nullptr));
#ifndef DEFECT
  OK(cuStreamSynchronize(first));
#endif
  int result[32];
  // @HERE_5
  OK(cuMemcpyDtoHAsync(result, data, sizeof(result), second));
  OK(cuCtxSynchronize());
  OK(cuMemFree(data));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
}

// Defect: A copy of what another stream writes is launched in front of the kernel that waits for the
// flag of that stream.
// Fix: The copy is launched behind the kernel that waits.
// EXPECT error race cuLaunchKernel at HERE_6
// EXPECT-FACT hazard=RAW
static void CodeCopyInFrontOfTheWait() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction fill = CodeKernel(CODE_FILL), produce = CodeKernel(CODE_PRODUCE);
  CUfunction consume = CodeKernel(CODE_CONSUME), copy = CodeKernel(CODE_COPY);
  CUdeviceptr data = NewZeros(128), flag = NewZeros(4), out = NewZeros(128);
  CUdeviceptr filled = NewZeros(128), copied = NewZeros(128);
  int value = 3;
  void *fills[] = {&filled, &value}, *produced[] = {&data, &flag};
  void *consumed[] = {&data, &flag, &out}, *copies[] = {&filled, &copied};
  OK(cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, first, fills, nullptr));
  OK(cuLaunchKernel(produce, 1, 1, 1, 32, 1, 1, 0, first, produced, nullptr));
#ifdef DEFECT
  // @HERE_6
  OK(cuLaunchKernel(copy, 1, 1, 1, 32, 1, 1, 0, second, copies, nullptr));
#endif
  OK(cuLaunchKernel(consume, 1, 1, 1, 32, 1, 1, 0, second, consumed, nullptr));
#ifndef DEFECT
  OK(cuLaunchKernel(copy, 1, 1, 1, 32, 1, 1, 0, second, copies, nullptr));
#endif
  OK(cuCtxSynchronize());
  for (const CUdeviceptr memory : {data, flag, out, filled, copied}) OK(cuMemFree(memory));
  Release(second, first);
}

int main() {
  Open();
  CodeEachOnTwoStreams();
  CodeLayoutOnTwoStreams();
  CodeReductionOnTwoStreams();
  CodeManagedMemory();
  CodeReadWhileThreadsSleep();
  CodeCopyInFrontOfTheWait();
  Close();
}
