// Defect: Memory is still held when its context is destroyed.
// Fix: Memory is freed before its context is destroyed.
// EXPECT error leak cuMemAlloc_v2 at CREATED
#include "common/cuda.h"

int main() {
  Open();
  CUcontext other;
  OK(cuCtxCreate(&other, nullptr, 0, device));
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
#ifndef DEFECT
  OK(cuMemFree(buffer));
#endif
  OK(cuCtxDestroy(other));
  OK(cuCtxSetCurrent(context));
  Close();
}
