// Defect: A kernel is launched in a stream of another context than its module was loaded in.
// Fix: The module is loaded in the context of the stream, and in the other one for its own streams.
// EXPECT error invalid-handle cuLaunchKernel at HERE
// EXPECT-FACT argument=f
#include "common/cuda.h"

int main() {
  Open();
  CUcontext other;
  OK(cuCtxCreate(&other, nullptr, 0, device));  // it is current now
  CUstream stream = NewStream();
#ifdef DEFECT
  OK(cuCtxSetCurrent(context));
  CUfunction kernel = Kernel(KERNEL_TWICE);
  CUdeviceptr buffer = NewZeros(4096);
  void* arguments[] = {&buffer};
  // @HERE
  cuLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr);
  OK(cuStreamSynchronize(stream));
  OK(cuMemFree(buffer));
#else
  CUmodule module;
  CUfunction kernel;
  OK(cuModuleLoadData(&module, kKernels));
  OK(cuModuleGetFunction(&kernel, module, KERNEL_TWICE));
  CUdeviceptr buffer = NewZeros(4096);
  void* arguments[] = {&buffer};
  OK(cuLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  OK(cuStreamSynchronize(stream));
  OK(cuMemFree(buffer));
  OK(cuModuleUnload(module));
#endif
  OK(cuStreamDestroy(stream));
  OK(cuCtxDestroy(other));
  Close();
}
