// Kernels are launched in every form, with arguments of every kind.
#include "common/cuda.h"

// A kernel is launched in every form: with a configuration, cooperatively, with packed
// arguments, from a library.
static void LaunchForms() {
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUstream stream = NewStream();
  CUdeviceptr buffer = NewMemory(4096);
  static float data[1024], result[1024];
  for (int i = 0; i < 1024; ++i) data[i] = i;
  OK(cuMemcpyHtoD(buffer, data, 4096));
  void* arguments[] = {&buffer};
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  CUlaunchConfig configuration = {};
  configuration.gridDimX = 4;
  configuration.gridDimY = configuration.gridDimZ = 1;
  configuration.blockDimX = 256;
  configuration.blockDimY = configuration.blockDimZ = 1;
  configuration.hStream = stream;
  OK(cuLaunchKernelEx(&configuration, twice, arguments, nullptr));
  OK(cuLaunchCooperativeKernel(twice, 4, 1, 1, 256, 1, 1, 0, stream, arguments));
  size_t bytes = sizeof(buffer);
  void* packed[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                    CU_LAUNCH_PARAM_END};
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, stream, nullptr, packed));
  CUlibrary library;
  CUkernel kernel;
  OK(cuLibraryLoadData(&library, kKernels, nullptr, nullptr, 0, nullptr, nullptr, 0));
  OK(cuLibraryGetKernel(&kernel, library, KERNEL_TWICE));
  OK(cuLaunchKernel((CUfunction)kernel, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  OK(cuStreamSynchronize(stream));
  OK(cuMemcpyDtoH(result, buffer, 4096));
  CHECK(result[1023] == 1023 * 32);
  OK(cuLibraryUnload(library));
  Release(buffer, stream);
}

// Pointers that are none stand for something to the kernel: small numbers, all bits set, and the
// numbers right below that. Two arguments may be one pointer, and a pair may be the two ends of a
// range. A base lies an element in front of its memory, as where the first index is one.
static void MarksForPointers() {
  CUfunction add = Kernel(KERNEL_ADD);
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096);
  int n = 0;
  const CUdeviceptr marks[] = {1, 16, 4095, ~CUdeviceptr{0}, ~CUdeviceptr{0} - 15};
  for (CUdeviceptr mark : marks) {
    void* arguments[] = {&a, &b, &mark, &n};
    OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  }
  CUdeviceptr end = a + 4096;
  void* range[] = {&a, &end, &b, &n};
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, range, nullptr));
  CUdeviceptr gone = NewMemory(4096), alone = NewMemory(4096), base = alone - 4;
  OK(cuMemFree(gone));
  void* from_one[] = {&a, &b, &base, &n};
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, from_one, nullptr));
  OK(cuMemFree(alone));
  n = 1024;
  void* same[] = {&a, &a, &a, &n};
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, same, nullptr));
  OK(cuCtxSynchronize());
  Release(b, a);
}

// The pointers of a launch stand in a structure that is passed by value.
static void PointersInAStruct() {
  CUfunction copy_pair = Kernel(KERNEL_COPY_PAIR);
  static float data[1024];
  for (int i = 0; i < 1024; ++i) data[i] = i;
  struct {
    CUdeviceptr in, out;
  } pair = {NewMemory(4096), NewMemory(4096)};
  OK(cuMemcpyHtoD(pair.in, data, 4096));
  void* arguments[] = {&pair};
  OK(cuLaunchKernel(copy_pair, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  memset(data, 0, sizeof(data));
  OK(cuMemcpyDtoH(data, pair.out, 4096));
  CHECK(data[1023] == 1023);
  Release(pair.out, pair.in);
}

// A const pointer argument may name a scalar of the host's that the kernel does not follow, as
// libraries have it that take scalars from either side. (No thread of the launch uses it.)
static void ScalarOfTheHost() {
  CUfunction add = Kernel(KERNEL_ADD);
  float alpha = 1;
  const float* from_host = &alpha;
  CUdeviceptr b = NewMemory(4096), out = NewMemory(4096);
  OK(cuMemsetD8(b, 0, 4096));
  int n = -1;
  void* arguments[] = {&from_host, &b, &out, &n};
  OK(cuLaunchKernel(add, 1, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Release(out, b);
}

// Launches with attributes: priorities, one that may begin before the one before it has ended, and
// events that a launch records by itself.
static void LaunchAttributes() {
  if (Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) < 9) return;
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
  Release(result, buffer, began, second, stream);
}

int main() {
  Open();
  LaunchForms();
  MarksForPointers();
  PointersInAStruct();
  ScalarOfTheHost();
  LaunchAttributes();
  Close();
}
