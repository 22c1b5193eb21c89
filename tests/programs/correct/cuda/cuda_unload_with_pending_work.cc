// A module, and a library, is unloaded while launches of its kernels are pending: no document asks
// a program to wait before.
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  const int count = 1 << 20;
  CUdeviceptr buffer = NewZeros(count * 4);
  int* result = (int*)NewPinned(count * 4);
  int value = 7;
  void* arguments[] = {&buffer, &value};
  CUmodule module;
  CUfunction function;
  OK(cuModuleLoadData(&module, kKernels));
  OK(cuModuleGetFunction(&function, module, KERNEL_FILL));
  OK(cuLaunchKernel(function, count / 256, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  OK(cuModuleUnload(module));
  OK(cuMemcpyDtoHAsync(result, buffer, count * 4, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 7 && result[count - 1] == 7);

  CUlibrary library;
  CUkernel kernel;
  value = 8;
  OK(cuLibraryLoadData(&library, kKernels, nullptr, nullptr, 0, nullptr, nullptr, 0));
  OK(cuLibraryGetKernel(&kernel, library, KERNEL_FILL));
  OK(cuLaunchKernel((CUfunction)kernel, count / 256, 1, 1, 256, 1, 1, 0, stream, arguments,
                    nullptr));
  OK(cuLibraryUnload(library));
  OK(cuMemcpyDtoHAsync(result, buffer, count * 4, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 8 && result[count - 1] == 8);
  Close(result, buffer, stream);
}
