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
#include <type_traits>

#include "common/checks.h"
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
  module_of_kernels = nullptr;
  OK(cuDevicePrimaryCtxRelease(device));
}

[[maybe_unused]] static void Release(CUdeviceptr memory) { OK(cuMemFree(memory)); }
[[maybe_unused]] static void Release(CUstream stream) { OK(cuStreamDestroy(stream)); }
[[maybe_unused]] static void Release(CUevent event) { OK(cuEventDestroy(event)); }
[[maybe_unused]] static void Release(CUgraph graph) { OK(cuGraphDestroy(graph)); }
[[maybe_unused]] static void Release(CUgraphExec graph) { OK(cuGraphExecDestroy(graph)); }
[[maybe_unused]] static void Release(CUarray array) { OK(cuArrayDestroy(array)); }
// Page-locked host memory.
template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T> || std::is_void_v<T>>>
static void Release(T* memory) {
  OK(cuMemFreeHost(memory));
}

// Release(a, b) releases both, in this order. Close(a, b) closes after that. For cases that are not
// about how their objects end.
template <typename First, typename Second, typename... Objects>
static void Release(First first, Second second, Objects... objects) {
  Release(first);
  Release(second);
  (Release(objects), ...);
}
template <typename... Objects>
static void Close(Objects... objects) {
  Release(objects...);
  Close();
}

// The kernel of this name (KERNEL_COPY or another one of cuda_kernels.h).
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

// Makes `waiter` wait for the work that `stream` has when it is called.
[[maybe_unused]] static void StreamWait(CUstream waiter, CUstream stream) {
  CUevent event = NewEvent();
  OK(cuEventRecord(event, stream));
  OK(cuStreamWaitEvent(waiter, event, 0));
  OK(cuEventDestroy(event));
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
