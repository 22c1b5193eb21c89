// Memory is still held when its context is destroyed.
// EXPECT error leak cuMemAlloc_v2 at CREATED
#include "common/cuda.h"

int main() {
  Open();
  CUcontext other;
  OK(cuCtxCreate(&other, nullptr, 0, device));
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
  OK(cuCtxDestroy(other));
  OK(cuCtxSetCurrent(context));
  Close();
}
