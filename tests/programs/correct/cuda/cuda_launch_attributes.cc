// Launches with attributes: priorities, one that may begin before the one before it has ended, and
// events that a launch records by itself.
#include "common/cuda.h"

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) >= 9);
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUstream stream = NewStream(), second = NewStream();
  CUevent began = NewEvent();
  CUdeviceptr buffer = NewZeros(4096);
  float* result = (float*)NewPinned(4096);
  void* arguments[] = {&buffer};
  CUlaunchConfig configuration = {};
  configuration.gridDimX = 4;
  configuration.gridDimY = configuration.gridDimZ = 1;
  configuration.blockDimX = 256;
  configuration.blockDimY = configuration.blockDimZ = 1;
  configuration.hStream = stream;
  CUlaunchAttribute attributes[2] = {};
  configuration.attrs = attributes;
  configuration.numAttrs = 1;
  attributes[0].id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
  attributes[0].value.priority = 0;
  OK(cuLaunchKernelEx(&configuration, twice, arguments, nullptr));
  attributes[0].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  attributes[0].value.programmaticStreamSerializationAllowed = 1;
  // Its kernel does not use what the one before it writes.
  CUfunction nothing = Kernel(KERNEL_NOTHING);
  OK(cuLaunchKernelEx(&configuration, nothing, nullptr, nullptr));
  attributes[0].id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT;
  attributes[0].value.launchCompletionEvent.event = began;
  attributes[0].value.launchCompletionEvent.flags = 0;
  OK(cuLaunchKernelEx(&configuration, nothing, nullptr, nullptr));
  OK(cuStreamWaitEvent(second, began, 0));
  OK(cuStreamSynchronize(second));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[1023] == 0);
  Close(result, buffer, began, second, stream);
}
