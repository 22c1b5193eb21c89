// Kernels get the end of an allocation, which is also the start of freed memory: one works from there to the start of
// the allocation, one does not use the pointer, and for one no thread uses it.
#include "common/cuda_machine_code.h"

int main() {
  Open();
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
  Close();
}
