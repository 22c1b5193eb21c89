// A kernel waits for a flag that the host sets in mapped memory when another stream has uploaded the
// data. Then the host polls a flag of a kernel by small copies, and downloads the data of the kernel.
#include <unistd.h>

#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction produce = CodeKernel(CODE_PRODUCE), consume = CodeKernel(CODE_CONSUME);
  char* host = NewPinned(128);
  volatile int* seen = (volatile int*)NewPinned(4);
  void* mapped;
  OK(cuMemHostAlloc(&mapped, 4, CU_MEMHOSTALLOC_DEVICEMAP));
  volatile int* go = (volatile int*)mapped;
  *go = 0;
  CUdeviceptr data = NewZeros(128), flag = NewZeros(4), out = NewZeros(128), mapped_flag;
  OK(cuMemHostGetDevicePointer(&mapped_flag, mapped, 0));
  memset(host, 1, 128);

  void* consumed[] = {&data, &mapped_flag, &out};
  OK(cuLaunchKernel(consume, 1, 1, 1, 32, 1, 1, 0, first, consumed, nullptr));
  OK(cuMemcpyHtoDAsync(data, host, 128, second));
  OK(cuStreamSynchronize(second));
  *go = 1;
  OK(cuStreamSynchronize(first));

  void* produced[] = {&data, &flag};
  OK(cuLaunchKernel(produce, 1, 1, 1, 32, 1, 1, 0, first, produced, nullptr));
  for (*seen = 0; *seen == 0;) {
    OK(cuMemcpyDtoHAsync((void*)seen, flag, 4, second));
    OK(cuStreamSynchronize(second));
    if (*seen == 0) usleep(300000);  // the fake driver may run the kernel late
  }
  OK(cuMemcpyDtoHAsync(host, data, 128, second));
  OK(cuStreamSynchronize(second));
  OK(cuMemsetD8Async(data, 0, 128, second));
  OK(cuCtxSynchronize());
  for (const CUdeviceptr memory : {data, flag, out}) OK(cuMemFree(memory));
  OK(cuMemFreeHost(mapped));
  OK(cuMemFreeHost((void*)seen));
  Close(host, second, first);
}
