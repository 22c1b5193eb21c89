// A kernel takes each element from one of two inputs. One of them is never written, and no element
// comes from it; the other one is downloaded at the same time.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction pick = CodeKernel(CODE_PICK);
  CUdeviceptr a = NewMemory(4096), b = NewZeros(4096), which = NewZeros(4096),
              out = NewMemory(4096);
  char* result = NewPinned(4096);
  void* arguments[] = {&a, &b, &which, &out};
  OK(cuLaunchKernel(pick, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuMemcpyDtoHAsync(result, b, 4096, second));
  OK(cuCtxSynchronize());
  OK(cuMemcpyDtoH(result, out, 4096));
  Close(result, out, which, b, a, second, first);
}
