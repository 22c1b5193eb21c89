// Defect: The default stream reads what a kernel on another stream joins or does not publish,
// without a wait.
// Fix: The default stream waits for the other stream.
#include "common/cuda_machine_code.h"

// Defect: The default stream reads what a kernel on another stream joins, without a wait.
// Fix: It waits for an event behind the kernel.
// EXPECT error race cuLaunchKernel at HERE
// EXPECT-FACT hazard=RAW
static void Join() {
  CUstream side = NewStream();
  CUfunction join = CodeKernel(CODE_JOIN), copy = CodeKernel(CODE_COPY);
  CUdeviceptr a = NewZeros(2048), b = NewZeros(2048), both = NewZeros(4096), out = NewZeros(4096);
  Inputs inputs = {{a, b}, {0, 512}, {512, 512}};
  unsigned width = 1;
  void *first[] = {&both, &inputs, &width}, *second[] = {&both, &out};
  OK(cuLaunchKernel(join, 1, 2, 1, 128, 1, 1, 0, side, first, nullptr));
#ifndef DEFECT
  StreamWait(nullptr, side);
#endif
  // @HERE
  OK(cuLaunchKernel(copy, 8, 1, 1, 128, 1, 1, 0, nullptr, second, nullptr));
  OK(cuCtxSynchronize());
  Release(out, both, b, a, side);
}

// Defect: A kernel that could publish its data by a flag is given none, and another stream reads
// the data without a wait. Fix: The other stream waits for an event behind the kernel.
// EXPECT error race cuLaunchKernel at HERE_2
// EXPECT-FACT hazard=RAW
static void PublishesNothing() {
  CUstream side = NewStream();
  CUfunction publish = CodeKernel(CODE_PUBLISH), copy = CodeKernel(CODE_COPY);
  CUdeviceptr data = NewZeros(128), out = NewZeros(128), no_flag = 0;
  void *first[] = {&data, &no_flag}, *second[] = {&data, &out};
  OK(cuLaunchKernel(publish, 1, 1, 1, 32, 1, 1, 0, side, first, nullptr));
#ifndef DEFECT
  StreamWait(nullptr, side);
#endif
  // @HERE_2
  OK(cuLaunchKernel(copy, 1, 1, 1, 32, 1, 1, 0, nullptr, second, nullptr));
  OK(cuCtxSynchronize());
  Release(out, data, side);
}

int main() {
  Open();
  Join();
  PublishesNothing();
  Close();
}
