// Defect: The CPU reads managed memory while a kernel that writes it is pending. Another allocation
// is in the same page, and the CPU uses it all the time.
// Fix: The host waits for the kernel before it reads what the kernel writes.
// OPTION --protect-maps
// EXPECT error host-race host-read at READ
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-FACT hazard=RAW
#include <sys/mman.h>
#include <unistd.h>

#include "common/cuda_machine_code.h"

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY));
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS));
  CUstream stream = NewStream();
  CUfunction fill = CodeKernel(CODE_FILL);
  CUdeviceptr before, memory, behind;
  OK(cuMemAllocManaged(&before, 512, CU_MEM_ATTACH_GLOBAL));
  OK(cuMemAllocManaged(&memory, 1024, CU_MEM_ATTACH_GLOBAL));
  OK(cuMemAllocManaged(&behind, 512, CU_MEM_ATTACH_GLOBAL));
  const int file = memfd_create("other", 0);
  int value = 7;
  void* arguments[] = {&memory, &value};
  memset((void*)behind, 1, 512);
  // @LAUNCH
  OK(cuLaunchKernel(fill, 8, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
  // The memory of the others is free while the kernel runs, also for system calls.
  memset((void*)before, 1, 512);
  CHECK(memchr((void*)before, 2, 512) == nullptr);
  CHECK(pwrite(file, (void*)behind, 512, 0) == 512);
  CHECK(pread(file, (void*)before, 512, 0) == 512);
  CHECK(((volatile char*)behind)[511] == 1);
  CUevent event;  // a call that gpusan watches
  OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  OK(cuEventDestroy(event));
#ifndef DEFECT
  OK(cuStreamSynchronize(stream));
#endif
  // @READ
  const int first = ((volatile int*)memory)[20];
  OK(cuStreamSynchronize(stream));
#ifndef DEFECT
  CHECK(first == 7);
#else
  (void)first;
#endif
  CHECK(((volatile int*)memory)[255] == 7);
  close(file);
  OK(cuMemFree(before));
  OK(cuMemFree(memory));
  OK(cuMemFree(behind));
  OK(cuStreamDestroy(stream));
  Close();
}
