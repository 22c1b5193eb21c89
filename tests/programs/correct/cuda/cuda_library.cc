// A library is used in every way: its kernels by themselves and as functions, its variables, its module.
#include "common/cuda.h"

int main() {
  Open();
  CUlibrary library;
  OK(cuLibraryLoadData(&library, kKernels, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CUkernel look_up;
  CUfunction function, again;
  CUmodule module;
  OK(cuLibraryGetKernel(&look_up, library, KERNEL_LOOK_UP));
  OK(cuKernelGetFunction(&function, look_up));
  OK(cuLibraryGetModule(&module, library));
  OK(cuModuleGetFunction(&again, module, KERNEL_LOOK_UP));
  CUdeviceptr table, out = NewMemory(4096);
  size_t bytes;
  OK(cuLibraryGetGlobal(&table, &bytes, library, MODULE_TABLE));
  float values[256], result[1024];
  for (int i = 0; i < 256; ++i) values[i] = i;
  OK(cuMemcpyHtoD(table, values, bytes));
  void* arguments[] = {&out};
  const CUfunction kernels[] = {(CUfunction)look_up, function, again};
  for (CUfunction kernel : kernels) {
    OK(cuMemsetD8(out, 0, 4096));
    OK(cuLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
    OK(cuMemcpyDtoH(result, out, 4096));
    CHECK(result[1023] == 255);
  }
  OK(cuMemFree(out));
  OK(cuLibraryUnload(library));
  Close();
}
