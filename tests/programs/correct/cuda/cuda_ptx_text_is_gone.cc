// The program changes and frees the PTX text after it has loaded it: what the kernels access is
// that of the text which the driver got. Two streams copy disjoint halves.
#include "common/cuda_ptx.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  char* text = (char*)malloc(sizeof(kPtx));
  memcpy(text, kPtx, sizeof(kPtx));
  CUmodule module;
  OK(cuModuleLoadData(&module, text));
  memset(text, 'x', sizeof(kPtx));
  free(text);
  CUfunction copy;
  OK(cuModuleGetFunction(&copy, module, CODE_PLAIN_COPY));
  CUdeviceptr in = NewZeros(8192), out = NewZeros(8192);
  CUdeviceptr in_high = in + 4096, out_high = out + 4096;
  void *low[] = {&in, &out}, *high[] = {&in_high, &out_high};
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, first, low, nullptr));
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, second, high, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(out));
  OK(cuMemFree(in));
  OK(cuModuleUnload(module));
  Close(second, first);
}
