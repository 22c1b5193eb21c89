// Defect: An event and a kernel are used in a stream of another context.
// Fix: They are used in the context that they belong to.
#include "common/cuda.h"

// Defect: An event is recorded in a stream of another context than its own.
// Fix: The event is created while the stream's context is current; then any thread and context may
// record it.
// EXPECT error invalid-handle cuEventRecord at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT argument=hEvent
static void EventOfAnotherContext() {
  CUcontext other;
  OK(cuCtxCreate(&other, nullptr, 0, device));  // it is current now
  CUstream stream = NewStream();
#ifdef DEFECT
  OK(cuCtxSetCurrent(context));
#endif
  CUevent event;
  // @CREATED
  OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
#ifdef DEFECT
  // @HERE
  FAILS(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(event, stream));
#else
  OK(cuCtxSetCurrent(context));
  OK(cuEventRecord(event, stream));
#endif
  OK(cuEventDestroy(event));
  OK(cuStreamDestroy(stream));
  OK(cuCtxDestroy(other));
}

// Defect: A kernel is launched in a stream of another context than its module was loaded in.
// Fix: The module is loaded in the context of the stream, and in the other one for its own streams.
// EXPECT error invalid-handle cuLaunchKernel at HERE_2
// EXPECT-FACT argument=f
static void KernelOfAnotherContext() {
  CUcontext other;
  OK(cuCtxCreate(&other, nullptr, 0, device));  // it is current now
  CUstream stream = NewStream();
#ifdef DEFECT
  OK(cuCtxSetCurrent(context));
  CUfunction kernel = Kernel(KERNEL_TWICE);
  CUdeviceptr buffer = NewZeros(4096);
  void* arguments[] = {&buffer};
  // @HERE_2
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
}

int main() {
  Open();
  EventOfAnotherContext();
  KernelOfAnotherContext();
  Close();
}
