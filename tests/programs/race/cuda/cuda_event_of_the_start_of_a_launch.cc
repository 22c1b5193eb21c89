// Defect: The event for which another stream waits completes when the blocks of a kernel have
// begun, not when the kernel is complete.
// Fix: The event is recorded behind the kernel.
// EXPECT error race cuLaunchKernel at READ
// EXPECT-FACT hazard=RAW
// EXPECT-PARTY pending-command at WRITE
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent event = NewEvent();
  CUdeviceptr data = NewZeros(4096), before = NewZeros(4096), result = NewMemory(4096);
  int value = 1;
  void* arguments[] = {&data, &value};
  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT;
  attribute.value.launchCompletionEvent.event = event;
  CUlaunchConfig launch = {};
  launch.gridDimX = 4;
  launch.gridDimY = launch.gridDimZ = 1;
  launch.blockDimX = 256;
  launch.blockDimY = launch.blockDimZ = 1;
  launch.hStream = first;
  launch.attrs = &attribute;
  launch.numAttrs = 1;
  // What the stream has in front of the kernel is complete when the kernel begins.
  OK(cuMemsetD8Async(before, 1, 4096, first));
  // @WRITE
  OK(cuLaunchKernelEx(&launch, CodeKernel(CODE_FILL), arguments, nullptr));
#ifndef DEFECT
  OK(cuEventRecord(event, first));
#endif
  OK(cuStreamWaitEvent(second, event, 0));
  void* early[] = {&before, &result};
  OK(cuLaunchKernel(CodeKernel(CODE_COPY), 4, 1, 1, 256, 1, 1, 0, second, early, nullptr));
  void* late[] = {&data, &result};
  // @READ
  OK(cuLaunchKernel(CodeKernel(CODE_COPY), 4, 1, 1, 256, 1, 1, 0, second, late, nullptr));
  OK(cuCtxSynchronize());
  Close(data, before, result, event, first, second);
}
