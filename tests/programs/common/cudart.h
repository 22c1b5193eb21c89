// What the CUDA runtime programs share: kernels without a CUDA compiler, and checks that end the
// program.
//
// Calls that a case is about stand in the program itself, so that their sites are the program's own
// lines. OK is for calls that must succeed, FAILS names the error that the call must return. A call
// of a bad program that the runtime may refuse stands without either.
#pragma once

#include <cuda_runtime_api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/checks.h"
#include "common/cuda_kernels.h"

[[maybe_unused]] static cudaLibrary_t library_of_kernels;

[[maybe_unused]] static void Expect(cudaError_t got, cudaError_t wanted, const char* call,
                                    const char* file, int line) {
  if (got == wanted) return;
  fprintf(stderr, "%s:%d: %s returned %s, not %s\n", file, line, call, cudaGetErrorName(got),
          cudaGetErrorName(wanted));
  fflush(stderr);
  abort();
}

#define FAILS(code, call) Expect((call), (code), #call, __FILE__, __LINE__)
#define OK(call) FAILS(cudaSuccess, call)

// The kernel of this name (KERNEL_COPY or another one of cuda_kernels.h), as cudaLaunchKernel takes it.
[[maybe_unused]] static const void* Kernel(const char* name) {
  if (!library_of_kernels)
    OK(cudaLibraryLoadData(&library_of_kernels, kKernels, nullptr, nullptr, 0, nullptr, nullptr,
                           0));
  cudaKernel_t kernel;
  OK(cudaLibraryGetKernel(&kernel, library_of_kernels, name));
  return (const void*)kernel;
}

// Gives back what Kernel took.
[[maybe_unused]] static void Close() {
  if (library_of_kernels) OK(cudaLibraryUnload(library_of_kernels));
  library_of_kernels = nullptr;
}

// Makers for what a case needs and is not about.
[[maybe_unused]] static char* NewPinned(size_t bytes) {
  void* memory;
  OK(cudaMallocHost(&memory, bytes));
  return (char*)memset(memory, 0, bytes);
}

// Device memory filled with zeros, for every stream.
[[maybe_unused]] static char* NewZeros(size_t bytes) {
  void* memory;
  OK(cudaMalloc(&memory, bytes));
  OK(cudaMemset(memory, 0, bytes));
  OK(cudaDeviceSynchronize());
  return (char*)memory;
}
