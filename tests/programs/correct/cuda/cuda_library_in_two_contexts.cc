// A library's kernel belongs to no context: it is launched in two, with memory and variables of
// each.
#include "common/cuda.h"

int main() {
  Open();
  CUcontext other, contexts[2] = {context};
  OK(cuCtxCreate(&other, nullptr, 0, device));
  contexts[1] = other;
  CUlibrary library;
  CUkernel look_up, twice;
  OK(cuLibraryLoadData(&library, kKernels, nullptr, nullptr, 0, nullptr, nullptr, 0));
  OK(cuLibraryGetKernel(&look_up, library, KERNEL_LOOK_UP));
  OK(cuLibraryGetKernel(&twice, library, KERNEL_TWICE));
  CUdeviceptr outs[2];
  CUstream streams[2];
  for (int i = 0; i < 2; ++i) {
    OK(cuCtxSetCurrent(contexts[i]));
    streams[i] = NewStream();
    outs[i] = NewMemory(4096);
    CUdeviceptr table;
    size_t bytes;
    float values[256];
    for (float& value : values) value = (float)(i + 1);
    OK(cuLibraryGetGlobal(&table, &bytes, library, MODULE_TABLE));
    OK(cuMemcpyHtoD(table, values, bytes));
    OK(cuCtxSynchronize());
  }
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 2; ++i) {
      OK(cuCtxSetCurrent(contexts[i]));
      void* arguments[] = {&outs[i]};
      CUfunction function;
      OK(cuKernelGetFunction(&function, look_up));
      OK(cuLaunchKernel(round == 0 ? (CUfunction)look_up : function, 4, 1, 1, 256, 1, 1, 0,
                        streams[i], arguments, nullptr));
      OK(cuLaunchKernel((CUfunction)twice, 4, 1, 1, 256, 1, 1, 0, streams[i], arguments, nullptr));
    }
  }
  static float result[1024];
  for (int i = 0; i < 2; ++i) {
    OK(cuCtxSetCurrent(contexts[i]));
    OK(cuStreamSynchronize(streams[i]));
    OK(cuMemcpyDtoH(result, outs[i], 4096));
    CHECK(result[1023] == 2 * (i + 1));
    OK(cuMemFree(outs[i]));
    OK(cuStreamDestroy(streams[i]));
  }
  OK(cuLibraryUnload(library));
  OK(cuCtxDestroy(other));
  OK(cuCtxSetCurrent(context));
  Close();
}
