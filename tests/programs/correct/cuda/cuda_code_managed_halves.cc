// Kernels on two streams change one half each of managed memory, while the host reads another block.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY));
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS));
  CUstream first = NewStream(), second = NewStream();
  CUfunction twice_from = CodeKernel(CODE_TWICE_FROM);
  CUdeviceptr data, other;
  OK(cuMemAllocManaged(&data, 2048, CU_MEM_ATTACH_GLOBAL));
  OK(cuMemAllocManaged(&other, 2048, CU_MEM_ATTACH_GLOBAL));
  memset((void*)data, 0, 2048);
  memset((void*)other, 1, 2048);
  int begins[] = {0, 256};
  void *low[] = {&data, &begins[0]}, *high[] = {&data, &begins[1]};
  for (int round = 0; round < 3; ++round) {
    OK(cuLaunchKernel(twice_from, 1, 1, 1, 256, 1, 1, 0, first, low, nullptr));
    OK(cuLaunchKernel(twice_from, 1, 1, 1, 256, 1, 1, 0, second, high, nullptr));
    CHECK(((char*)other)[round] == 1);
  }
  OK(cuCtxSynchronize());
  // The same memory on the other stream, behind the wait of the host.
  OK(cuLaunchKernel(twice_from, 1, 1, 1, 256, 1, 1, 0, second, low, nullptr));
  OK(cuCtxSynchronize());
  Close(other, data, second, first);
}
