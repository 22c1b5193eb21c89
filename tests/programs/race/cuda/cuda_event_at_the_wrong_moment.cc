// Defect: A stream waits for an event that completes before the work that the stream depends on.
// Fix: The event is recorded once, behind the work and before the wait.
#include "common/cuda.h"
#include "common/cuda_machine_code.h"

// Defect: An event is recorded after the upload and then again on another stream: the second record
// replaces the first.
// Fix: Each of the two streams has its own event.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-FACT hazard=RAW
static void EventRecordedAgain() {
  CUstream first = NewStream(), second = NewStream(), third = NewStream();
  CUevent uploaded = NewEvent(), other = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096), unrelated = NewMemory(4096);
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuEventRecord(uploaded, first));
  OK(cuMemsetD8Async(unrelated, 0, 4096, third));
#ifdef DEFECT
  OK(cuEventRecord(uploaded, third));
#else
  OK(cuEventRecord(other, third));
#endif
  OK(cuStreamWaitEvent(second, uploaded, 0));
  // @HERE
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuCtxSynchronize());
  Release(unrelated, buffer, result, data, other, uploaded, third, second, first);
}

// Defect: The event is recorded before the upload, so that waiting for it does not wait for the
// upload.
// Fix: The event is recorded after the upload.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE_2
// EXPECT-PARTY pending-command at UPLOAD_2
// EXPECT-FACT hazard=RAW
static void EventRecordedTooEarly() {
  CUstream first = NewStream(), second = NewStream();
  CUevent uploaded = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
#ifdef DEFECT
  OK(cuEventRecord(uploaded, first));
  // @UPLOAD_2
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
#else
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuEventRecord(uploaded, first));
#endif
  OK(cuStreamWaitEvent(second, uploaded, 0));
  // @HERE_2
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuCtxSynchronize());
  Release(buffer, result, data, uploaded, second, first);
}

// Defect: A stream waits for an event that is recorded later. A wait refers to the last record
// before the call, so this one waits for nothing.
// Fix: The wait comes after the record.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE_3
// EXPECT-PARTY pending-command at UPLOAD_3
// EXPECT-FACT hazard=RAW
static void WaitBeforeTheRecord() {
  CUstream first = NewStream(), second = NewStream();
  CUevent uploaded = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  OK(cuEventRecord(uploaded, first));
  OK(cuEventSynchronize(uploaded));
#ifdef DEFECT
  OK(cuStreamWaitEvent(second, uploaded, 0));
#endif
  // @UPLOAD_3
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuEventRecord(uploaded, first));
#ifndef DEFECT
  OK(cuStreamWaitEvent(second, uploaded, 0));
#endif
  // @HERE_3
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuCtxSynchronize());
  Release(buffer, result, data, uploaded, second, first);
}

// Defect: The event for which another stream waits completes when the blocks of a kernel have
// begun, not when the kernel is complete.
// Fix: The event is recorded behind the kernel.
// EXPECT error race cuLaunchKernel at READ
// EXPECT-FACT hazard=RAW
// EXPECT-PARTY pending-command at WRITE
static void EventOfTheStartOfALaunch() {
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
  Release(data, before, result, event, first, second);
}

int main() {
  Open();
  EventRecordedAgain();
  EventRecordedTooEarly();
  WaitBeforeTheRecord();
  EventOfTheStartOfALaunch();
  Close();
}
