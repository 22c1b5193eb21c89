// What the CUDA driver programs share: one device, its primary context, the kernels, and checks
// that end the program.
//
// Calls that a case is about stand in the program itself, so that their sites are the program's own
// lines. OK is for calls that must succeed, FAILS names the error that the call must return. A call
// of a bad program that the driver may refuse stands without either.
#pragma once

#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <initializer_list>

#include "common/cuda_kernels.h"

[[maybe_unused]] static CUdevice device;
[[maybe_unused]] static CUcontext
    context;  // the primary one, current in the thread that called Open
[[maybe_unused]] static CUmodule module_of_kernels;

[[maybe_unused]] static void Expect(CUresult got, CUresult wanted, const char* call,
                                    const char* file, int line) {
  if (got == wanted) return;
  const char *name = "?", *wanted_name = "?";
  cuGetErrorName(got, &name);
  cuGetErrorName(wanted, &wanted_name);
  fprintf(stderr, "%s:%d: %s returned %s, not %s\n", file, line, call, name, wanted_name);
  fflush(stderr);
  abort();
}

#define FAILS(code, call) Expect((call), (code), #call, __FILE__, __LINE__)
#define OK(call) FAILS(CUDA_SUCCESS, call)
// For what the program itself computes.
#define CHECK(condition)                                                            \
  do {                                                                              \
    if (!(condition)) {                                                             \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
      fflush(stderr);                                                               \
      abort();                                                                      \
    }                                                                               \
  } while (0)
// Ends a program that this machine cannot run; the runner takes it for neither right nor wrong.
#define NEEDS(condition)                                  \
  do {                                                    \
    if (!(condition)) {                                   \
      fprintf(stderr, "skipped: needs %s\n", #condition); \
      exit(77);                                           \
    }                                                     \
  } while (0)

// The first device, its primary context made current.
[[maybe_unused]] static void Open() {
  OK(cuInit(0));
  OK(cuDeviceGet(&device, 0));
  OK(cuDevicePrimaryCtxRetain(&context, device));
  OK(cuCtxSetCurrent(context));
}

// Gives back what Open and Kernel took; what the program left in the context goes with it.
[[maybe_unused]] static void Close() {
  if (module_of_kernels) OK(cuModuleUnload(module_of_kernels));
  OK(cuDevicePrimaryCtxRelease(device));
}

// The kernel of this name (KERNEL_COPY and its kin).
[[maybe_unused]] static CUfunction Kernel(const char* name) {
  if (!module_of_kernels) OK(cuModuleLoadData(&module_of_kernels, kKernels));
  CUfunction kernel;
  OK(cuModuleGetFunction(&kernel, module_of_kernels, name));
  return kernel;
}

// A value of an attribute of the device.
[[maybe_unused]] static int Attribute(CUdevice_attribute attribute) {
  int value = 0;
  OK(cuDeviceGetAttribute(&value, attribute, device));
  return value;
}

// Makers for what a case needs and is not about.
[[maybe_unused]] static CUstream NewStream(unsigned flags = CU_STREAM_NON_BLOCKING) {
  CUstream stream;
  OK(cuStreamCreate(&stream, flags));
  return stream;
}

[[maybe_unused]] static CUevent NewEvent() {
  CUevent event;
  OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  return event;
}

// Page-locked host memory, filled with zeros.
[[maybe_unused]] static char* NewPinned(size_t bytes) {
  void* memory;
  OK(cuMemAllocHost(&memory, bytes));
  return (char*)memset(memory, 0, bytes);
}

// Device memory with undefined content.
[[maybe_unused]] static CUdeviceptr NewMemory(size_t bytes) {
  CUdeviceptr memory;
  OK(cuMemAlloc(&memory, bytes));
  return memory;
}

// Device memory filled with zeros, for every stream.
[[maybe_unused]] static CUdeviceptr NewZeros(size_t bytes) {
  const CUdeviceptr memory = NewMemory(bytes);
  OK(cuMemsetD8(memory, 0, bytes));
  OK(cuCtxSynchronize());
  return memory;
}
