// A kernel tells the host through mapped memory that it runs, and what it has read. The host then
// uses the same memory on another stream, and frees page-locked memory, without a wait of the API.
#include <unistd.h>

#include "common/cuda.h"

static void WaitFor(volatile int* flag, int value) {
  while (*flag != value) usleep(1000);
}

int main() {
  Open();
  CUfunction fill = Kernel(KERNEL_FILL), copy = Kernel(KERNEL_COPY);
  CUstream work = NewStream(), talk = NewStream();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  volatile int* flag = (volatile int*)NewPinned(4096);
  float* mapped = (float*)NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096), in = NewZeros(4096);
  CUdeviceptr signal = (CUdeviceptr)flag, out = (CUdeviceptr)mapped;
  memset(data, 3, 4096);
  // The kernel begins after the upload is complete.
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, work));
  int value = 7;
  void* signals[] = {&signal, &value};
  OK(cuLaunchKernel(fill, 1, 1, 1, 1, 1, 1, 0, work, signals, nullptr));
  WaitFor(flag, 7);
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, talk));
  OK(cuMemFreeHost(data));
  OK(cuStreamSynchronize(talk));
  CHECK(result[4095] == 3);
  // The kernel has read its input when its output is in host memory.
  OK(cuStreamSynchronize(work));
  for (int i = 0; i < 1024; ++i) mapped[i] = 5;
  void* copied[] = {&in, &out};
  OK(cuLaunchKernel(copy, 1, 1, 1, 1, 1, 1, 0, work, copied, nullptr));
  WaitFor((volatile int*)mapped, 0);
  OK(cuMemsetD8Async(in, 1, 4096, talk));
  OK(cuStreamSynchronize(talk));
  OK(cuStreamSynchronize(work));
  OK(cuMemFree(in));
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(mapped));
  OK(cuMemFreeHost((void*)flag));
  Close(result, talk, work);
}
