// A part of the device as a green context: its streams and the primary context's wait for each
// other by events, and use the same memory.
#include "common/cuda.h"

int main() {
  Open();
  CUdevResource all = {}, part = {};
  unsigned groups = 1;
  if (cuDeviceGetDevResource(device, &all, CU_DEV_RESOURCE_TYPE_SM) != CUDA_SUCCESS ||
      cuDevSmResourceSplitByCount(&part, &groups, &all, nullptr, 0, 8) != CUDA_SUCCESS)
    NEEDS(!"green contexts");
  CUdevResourceDesc description;
  CUgreenCtx green;
  OK(cuDevResourceGenerateDesc(&description, &part, 1));
  OK(cuGreenCtxCreate(&green, description, device, CU_GREEN_CTX_DEFAULT_STREAM));
  CUstream theirs, ours = NewStream();
  OK(cuGreenCtxStreamCreate(&theirs, green, CU_STREAM_NON_BLOCKING, 0));
  CUlibrary library;
  CUkernel kernel;
  OK(cuLibraryLoadData(&library, kKernels, nullptr, nullptr, 0, nullptr, nullptr, 0));
  OK(cuLibraryGetKernel(&kernel, library, KERNEL_TWICE));
  const CUfunction twice = (CUfunction)kernel;
  float *data = (float*)NewPinned(4096), *result = (float*)NewPinned(4096);
  for (int i = 0; i < 1024; ++i) data[i] = 1;
  CUdeviceptr memory = NewMemory(4096);
  CUevent uploaded = NewEvent(), done = NewEvent();
  void* arguments[] = {&memory};
  OK(cuMemcpyHtoDAsync(memory, data, 4096, ours));
  OK(cuEventRecord(uploaded, ours));
  OK(cuStreamWaitEvent(theirs, uploaded, 0));
  CUcontext of_green;
  OK(cuCtxFromGreenCtx(&of_green, green));
  OK(cuCtxPushCurrent(of_green));
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, theirs, arguments, nullptr));
  CUdeviceptr more = NewMemory(4096);
  OK(cuMemcpyDtoDAsync(more, memory, 4096, theirs));
  OK(cuStreamSynchronize(theirs));
  OK(cuMemFree(more));
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, theirs, arguments, nullptr));
  OK(cuCtxPopCurrent(nullptr));
  OK(cuGreenCtxRecordEvent(green, done));
  OK(cuStreamWaitEvent(ours, done, 0));
  OK(cuMemcpyDtoHAsync(result, memory, 4096, ours));
  OK(cuStreamSynchronize(ours));
  CHECK(result[1023] == 4);
  OK(cuStreamDestroy(theirs));
  OK(cuGreenCtxDestroy(green));
  OK(cuLibraryUnload(library));
  Close(done, uploaded, memory, result, data, ours);
}
