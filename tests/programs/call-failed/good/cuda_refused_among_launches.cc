// Several launches, one of which writes what another stream writes when that is done.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr mine = NewZeros(4096), shared = NewZeros(4096);
  void* own[] = {&mine};
  void* both[] = {&shared};
  for (int i = 0; i < 3; ++i)
    OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, first, own, nullptr));
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, first, both, nullptr));
  OK(cuStreamSynchronize(first));
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, second, both, nullptr));
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, first, own, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(shared));
  OK(cuMemFree(mine));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  Close();
}
