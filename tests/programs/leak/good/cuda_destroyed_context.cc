// Memory is freed before its context is destroyed.
#include "common/cuda.h"

int main() {
  Open();
  CUcontext other;
  OK(cuCtxCreate(&other, nullptr, 0, device));
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, 4096));
  OK(cuMemFree(buffer));
  OK(cuCtxDestroy(other));
  OK(cuCtxSetCurrent(context));
  Close();
}
