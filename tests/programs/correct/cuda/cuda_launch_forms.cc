// A kernel is launched in every form: with a configuration, cooperatively, with packed
// arguments, from a library.
#include "common/cuda.h"

int main() {
  Open();
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
  Close(buffer, stream);
}
