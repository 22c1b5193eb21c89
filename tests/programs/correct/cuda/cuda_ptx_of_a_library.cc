// Kernels of a library that is made of PTX read one buffer at the same time, beside a download of
// it.
#include "common/cuda_ptx.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUlibrary library;
  OK(cuLibraryLoadData(&library, kPtx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CUkernel kernel;
  OK(cuLibraryGetKernel(&kernel, library, CODE_PLAIN_COPY));
  CUdeviceptr in = NewZeros(4096), a = NewZeros(4096), b = NewZeros(4096);
  char* result = NewPinned(4096);
  void *to_a[] = {&in, &a}, *to_b[] = {&in, &b};
  OK(cuLaunchKernel((CUfunction)kernel, 4, 1, 1, 256, 1, 1, 0, first, to_a, nullptr));
  OK(cuLaunchKernel((CUfunction)kernel, 4, 1, 1, 256, 1, 1, 0, second, to_b, nullptr));
  OK(cuMemcpyDtoHAsync(result, in, 4096, second));
  OK(cuCtxSynchronize());
  OK(cuMemFreeHost(result));
  OK(cuMemFree(b));
  OK(cuMemFree(a));
  OK(cuMemFree(in));
  OK(cuLibraryUnload(library));
  Close(second, first);
}
