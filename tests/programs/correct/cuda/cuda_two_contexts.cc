// Two contexts with the same program in each; what one frees is not the other's.
#include "common/cuda.h"

int main() {
  Open();
  CUcontext other;
  OK(cuCtxCreate(&other, nullptr, 0, device));
  OK(cuCtxSetCurrent(context));
  static char data[4096];
  CUdeviceptr here = NewZeros(4096);
  OK(cuCtxPushCurrent(other));
  CUdeviceptr there = NewZeros(4096);
  OK(cuMemcpyDtoH(data, there, 4096));
  OK(cuMemFree(there));
  OK(cuCtxPopCurrent(nullptr));
  OK(cuMemcpyDtoH(data, here, 4096));
  OK(cuMemFree(here));
  OK(cuCtxDestroy(other));
  Close();
}
