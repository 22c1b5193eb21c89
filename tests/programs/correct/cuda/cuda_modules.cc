// Modules and libraries, their kernels and variables, and their ends.
#include "common/cuda.h"

// A library is used in every way: its kernels by themselves and as functions, its variables, its module.
static void Library() {
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
}

// A variable of a module is written by the host and read by a kernel, and goes with its module.
static void ModuleVariable() {
  for (int round = 0; round < 2; ++round) {
    CUfunction look_up = Kernel(KERNEL_LOOK_UP);
    float table[256], result[1024];
    for (int i = 0; i < 256; ++i) table[i] = i + round;
    CUdeviceptr variable, out = NewMemory(4096);
    size_t bytes;
    OK(cuModuleGetGlobal(&variable, &bytes, module_of_kernels, MODULE_TABLE));
    OK(cuMemcpyHtoD(variable, table, bytes));
    void* arguments[] = {&out};
    OK(cuLaunchKernel(look_up, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
    OK(cuMemcpyDtoH(result, out, 4096));
    CHECK(result[1023] == 255 + round);
    OK(cuMemcpyDtoH(table, variable, bytes));
    OK(cuMemFree(out));
    OK(cuModuleUnload(module_of_kernels));
    module_of_kernels = nullptr;
  }
}

// Two streams upload the halves of a variable of a module, whose size the program does not ask for; a kernel that reads
// it waits for both. The module is unloaded, loaded again, and its variable used again.
static void ModuleVariableInHalves() {
  CUstream first = NewStream(), second = NewStream();
  CUevent uploaded = NewEvent();
  float *data = (float*)NewPinned(1024), *result = (float*)NewPinned(4096);
  CUdeviceptr out = NewMemory(4096);
  for (int round = 0; round < 2; ++round) {
    CUfunction look_up = Kernel(KERNEL_LOOK_UP);
    CUdeviceptr table;
    OK(cuModuleGetGlobal(&table, nullptr, module_of_kernels, MODULE_TABLE));
    for (int i = 0; i < 256; ++i) data[i] = (float)(i + round);
    OK(cuMemcpyHtoDAsync(table, data, 512, first));
    OK(cuMemcpyHtoDAsync(table + 512, data + 128, 512, second));
    OK(cuEventRecord(uploaded, second));
    OK(cuStreamWaitEvent(first, uploaded, 0));
    void* arguments[] = {&out};
    OK(cuLaunchKernel(look_up, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
    OK(cuMemcpyDtoHAsync(result, out, 4096, first));
    OK(cuStreamSynchronize(first));
    CHECK(result[1023] == 255 + round);
    OK(cuModuleUnload(module_of_kernels));
    module_of_kernels = nullptr;
  }
  Release(out, result, data, uploaded, second, first);
}

// Modules are loaded and unloaded many times: handles of functions and variables are used again, for
// others than before.
static void ModulesComeAndGo() {
  const char* names[] = {KERNEL_FILL, KERNEL_TWICE, KERNEL_NOTHING, KERNEL_COUNT};
  CUdeviceptr data = NewZeros(4096);
  for (int round = 0; round < 64; ++round) {
    CUmodule module, other;
    CUfunction function;
    OK(cuModuleLoadData(&module, kKernels));
    OK(cuModuleLoadData(&other, kKernels));
    OK(cuModuleGetFunction(&function, round % 2 != 0 ? module : other, names[round % 4]));
    CUdeviceptr table;
    size_t bytes;
    OK(cuModuleGetGlobal(&table, &bytes, other, MODULE_TABLE));
    OK(cuMemsetD32(table, 0, bytes / 4));
    int value = round;
    void* arguments[] = {&data, &value};
    OK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
    // Unloading waits for what runs.
    OK(cuModuleUnload(other));
    OK(cuModuleUnload(module));
  }
  Release(data);
}

// A module, and a library, is unloaded while launches of its kernels are pending: no document asks
// a program to wait before.
static void UnloadWithPendingWork() {
  CUstream stream = NewStream();
  const int count = 1 << 20;
  CUdeviceptr buffer = NewZeros(count * 4);
  int* result = (int*)NewPinned(count * 4);
  int value = 7;
  void* arguments[] = {&buffer, &value};
  CUmodule module;
  CUfunction function;
  OK(cuModuleLoadData(&module, kKernels));
  OK(cuModuleGetFunction(&function, module, KERNEL_FILL));
  OK(cuLaunchKernel(function, count / 256, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  OK(cuModuleUnload(module));
  OK(cuMemcpyDtoHAsync(result, buffer, count * 4, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 7 && result[count - 1] == 7);

  CUlibrary library;
  CUkernel kernel;
  value = 8;
  OK(cuLibraryLoadData(&library, kKernels, nullptr, nullptr, 0, nullptr, nullptr, 0));
  OK(cuLibraryGetKernel(&kernel, library, KERNEL_FILL));
  OK(cuLaunchKernel((CUfunction)kernel, count / 256, 1, 1, 256, 1, 1, 0, stream, arguments,
                    nullptr));
  OK(cuLibraryUnload(library));
  OK(cuMemcpyDtoHAsync(result, buffer, count * 4, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 8 && result[count - 1] == 8);
  Release(result, buffer, stream);
}

// Kernels on two streams read one variable of a module at the same time. An upload of the variable waits for both, and
// a kernel behind it, which does not use the variable, runs beside it.
static void VariablesOfKernels() {
  CUstream first = NewStream(), second = NewStream(), third = NewStream();
  CUevent done = NewEvent(), also = NewEvent();
  CUfunction look_up = Kernel(KERNEL_LOOK_UP), twice = Kernel(KERNEL_TWICE);
  char* data = NewPinned(1024);
  CUdeviceptr table, a = NewMemory(4096), b = NewMemory(4096), c = NewZeros(4096);
  size_t bytes;
  OK(cuModuleGetGlobal(&table, &bytes, module_of_kernels, MODULE_TABLE));
  void *to_a[] = {&a}, *to_b[] = {&b}, *of_c[] = {&c};
  OK(cuLaunchKernel(look_up, 4, 1, 1, 256, 1, 1, 0, first, to_a, nullptr));
  OK(cuLaunchKernel(look_up, 4, 1, 1, 256, 1, 1, 0, second, to_b, nullptr));
  OK(cuEventRecord(done, first));
  OK(cuEventRecord(also, second));
  OK(cuStreamWaitEvent(third, done, 0));
  OK(cuStreamWaitEvent(third, also, 0));
  OK(cuMemcpyHtoDAsync(table, data, bytes, third));
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, first, of_c, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemcpyDtoH(data, table, bytes));
  Release(c, b, a, data, also, done, third, second, first);
}

int main() {
  Open();
  Library();
  ModuleVariable();
  ModuleVariableInHalves();
  ModulesComeAndGo();
  UnloadWithPendingWork();
  VariablesOfKernels();
  Close();
}
