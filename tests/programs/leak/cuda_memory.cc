// Defect: Device memory is never freed, and memory is still held when its context is destroyed.
// Fix: The memory is freed.
#include "common/cuda.h"

// Defect: Device memory is never freed.
// Fix: Device memory is freed.
// EXPECT error leak cuMemAlloc_v2 at CREATED
static void Memory() {
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
  OK(cuMemsetD8(buffer, 0, 4096));
  OK(cuCtxSynchronize());
#ifndef DEFECT
  OK(cuMemFree(buffer));
#endif
}

// Defect: Memory is still held when its context is destroyed.
// Fix: Memory is freed before its context is destroyed.
// EXPECT error leak cuMemAlloc_v2 at CREATED_2
static void DestroyedContext() {
  CUcontext other;
  OK(cuCtxCreate(&other, nullptr, 0, device));
  CUdeviceptr buffer;
  // @CREATED_2
  OK(cuMemAlloc(&buffer, 4096));
#ifndef DEFECT
  OK(cuMemFree(buffer));
#endif
  OK(cuCtxDestroy(other));
  OK(cuCtxSetCurrent(context));
}

int main() {
  Open();
  Memory();
  DestroyedContext();
  Close();
}
