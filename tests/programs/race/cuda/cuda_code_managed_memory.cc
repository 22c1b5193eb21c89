// Defect: The default stream reads managed memory that a kernel of another stream writes, without a
// wait.
// Fix: It waits for an event behind the kernel.
// EXPECT error race cuLaunchKernel at HERE
// EXPECT-FACT hazard=RAW
#include "common/cuda_machine_code.h"

int main() {
  Open();
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
  // @HERE
  OK(cuLaunchKernel(each, 8, 1, 1, 128, 1, 1, 0, nullptr, second, nullptr));
  OK(cuCtxSynchronize());
  Close(c.data, managed, a.data, side);
}
