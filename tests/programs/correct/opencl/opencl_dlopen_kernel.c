// The loader is opened for this file alone, and only what the program itself calls is looked up in it: neither
// clGetKernelInfo nor clGetKernelArgInfo. The kernel writes what is read afterwards.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define LOAD(name) __typeof__(&name) load_##name = (__typeof__(&name))dlsym(library, #name)
#define OK(call) \
  if ((call) != CL_SUCCESS) abort()

int main(void) {
  void* library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) abort();
  LOAD(clGetPlatformIDs);
  LOAD(clGetDeviceIDs);
  LOAD(clCreateContext);
  LOAD(clCreateCommandQueueWithProperties);
  LOAD(clCreateProgramWithSource);
  LOAD(clBuildProgram);
  LOAD(clCreateKernel);
  LOAD(clSetKernelArg);
  LOAD(clCreateBuffer);
  LOAD(clEnqueueNDRangeKernel);
  LOAD(clEnqueueReadBuffer);
  LOAD(clReleaseMemObject);
  LOAD(clReleaseKernel);
  LOAD(clReleaseProgram);
  LOAD(clReleaseCommandQueue);
  LOAD(clReleaseContext);
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  OK(load_clGetPlatformIDs(1, &platform, NULL));
  OK(load_clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  cl_context context = load_clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  OK(error);
  cl_command_queue queue = load_clCreateCommandQueueWithProperties(context, device, NULL, &error);
  OK(error);
  const char* source = "kernel void Count(global int* out) { out[get_global_id(0)] = get_global_id(0); }";
  cl_program program = load_clCreateProgramWithSource(context, 1, &source, NULL, &error);
  OK(error);
  OK(load_clBuildProgram(program, 1, &device, NULL, NULL, NULL));
  cl_kernel kernel = load_clCreateKernel(program, "Count", &error);
  OK(error);
  cl_mem buffer = load_clCreateBuffer(context, CL_MEM_WRITE_ONLY, 64 * sizeof(cl_int), NULL, &error);
  OK(error);
  OK(load_clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  const size_t items = 64;
  OK(load_clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  cl_int numbers[64];
  OK(load_clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(numbers), numbers, 0, NULL, NULL));
  printf("%d\n", numbers[63]);
  OK(load_clReleaseMemObject(buffer));
  OK(load_clReleaseKernel(kernel));
  OK(load_clReleaseProgram(program));
  OK(load_clReleaseCommandQueue(queue));
  OK(load_clReleaseContext(context));
  dlclose(library);
}
