// Defect: A kernel reads what a kernel on another stream writes, by pointers that are not const.
// Fix: Both kernels are launched on one stream.
// EXPECT error race cudaLaunchKernel at READS
// EXPECT-PARTY pending-command at WRITES
// EXPECT-FACT hazard=RAW
// EXPECT-FACT kernel=code_copy
#include "common/cudart.h"

#include "common/cuda_code.h"

int main() {
  cudaLibrary_t library;
  OK(cudaLibraryLoadData(&library, kCode, nullptr, nullptr, 0, nullptr, nullptr, 0));
  cudaKernel_t fill, copy;
  OK(cudaLibraryGetKernel(&fill, library, CODE_FILL));
  OK(cudaLibraryGetKernel(&copy, library, CODE_COPY));
  cudaStream_t first, second;
  OK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  char *data = NewZeros(4096), *out = NewZeros(4096);
  int value = 7;
  void *filled[] = {&data, &value}, *copied[] = {&data, &out};
#ifdef DEFECT
  cudaStream_t stream = second;
#else
  cudaStream_t stream = first;
#endif
  // @WRITES
  OK(cudaLaunchKernel((const void*)fill, dim3(4), dim3(256), filled, 0, first));
  // @READS
  OK(cudaLaunchKernel((const void*)copy, dim3(4), dim3(256), copied, 0, stream));
  OK(cudaDeviceSynchronize());
  OK(cudaFree(out));
  OK(cudaFree(data));
  OK(cudaStreamDestroy(second));
  OK(cudaStreamDestroy(first));
  OK(cudaLibraryUnload(library));
}
