// A kernel is launched in a stream of another context than its module was loaded in.
// EXPECT error invalid-handle cuLaunchKernel at HERE
// EXPECT-FACT argument=f
#include "common/cuda.h"

int main() {
  Open();
  CUcontext other;
  OK(cuCtxCreate(&other, nullptr, 0, device));  // it is current now
  CUstream stream = NewStream();
  OK(cuCtxSetCurrent(context));
  CUfunction kernel = Kernel(KERNEL_TWICE);
  CUdeviceptr buffer = NewZeros(4096);
  void* arguments[] = {&buffer};
  // @HERE
  cuLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr);
  OK(cuStreamSynchronize(stream));
  OK(cuMemFree(buffer));
  OK(cuStreamDestroy(stream));
  OK(cuCtxDestroy(other));
  Close();
}
