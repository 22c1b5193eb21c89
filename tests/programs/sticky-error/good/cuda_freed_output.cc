// A kernel writes to memory that is freed behind it.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction fill = Kernel(KERNEL_FILL);
  CUstream stream = NewStream();
  CUdeviceptr out;
  OK(cuMemAlloc(&out, 8 << 20));
  int value = 3;
  void* arguments[] = {&out, &value};
  OK(cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
  cuStreamSynchronize(stream);
  OK(cuMemFree(out));
  cuStreamSynchronize(stream);
  CUevent event;
  cuEventCreate(&event, 0);
}
