// A cooperative kernel rotates one half of an allocation while the other half is downloaded.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) != 0);
  CUfunction rotate = CodeKernel(CODE_ROTATE);
  CUdeviceptr data = NewZeros(8192), high = data + 4096;
  char* result = NewPinned(4096);
  void* arguments[] = {&high};
  OK(cuLaunchCooperativeKernel(rotate, 4, 1, 1, 256, 1, 1, 0, first, arguments));
  OK(cuMemcpyDtoHAsync(result, data, 4096, second));
  OK(cuCtxSynchronize());
  Close(result, data, second, first);
}
