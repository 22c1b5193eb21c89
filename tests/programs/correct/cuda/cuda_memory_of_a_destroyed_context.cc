// A context takes its streams and modules along; the program frees its memory first.
#include "common/cuda.h"

int main() {
  Open();
  for (int round = 0; round < 2; ++round) {
    CUcontext other;
    OK(cuCtxCreate(&other, nullptr, 0, device));
    CUmodule module;
    OK(cuModuleLoadData(&module, kKernels));
    CUstream stream = NewStream();
    CUdeviceptr buffer = NewZeros(4096);
    OK(cuMemsetD8Async(buffer, 1, 4096, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemFree(buffer));
    OK(cuCtxDestroy(other));
    OK(cuCtxSetCurrent(context));
  }
  Close();
}
