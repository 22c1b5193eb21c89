// The loader is opened at run time, used through dlsym, closed, and opened again.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOAD(library, name) __typeof__(&name) load_##name = (__typeof__(&name))dlsym(library, #name)
#define OK(call) \
  if ((call) != CL_SUCCESS) abort()

static void RoundTrip(char value) {
  void* library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) abort();
  LOAD(library, clGetPlatformIDs);
  LOAD(library, clGetDeviceIDs);
  LOAD(library, clCreateContext);
  LOAD(library, clCreateCommandQueueWithProperties);
  LOAD(library, clCreateBuffer);
  LOAD(library, clEnqueueWriteBuffer);
  LOAD(library, clEnqueueReadBuffer);
  LOAD(library, clReleaseMemObject);
  LOAD(library, clReleaseCommandQueue);
  LOAD(library, clReleaseContext);
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  OK(load_clGetPlatformIDs(1, &platform, NULL));
  OK(load_clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  cl_context context = load_clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  OK(error);
  cl_command_queue queue = load_clCreateCommandQueueWithProperties(context, device, NULL, &error);
  OK(error);
  char data[2048];
  memset(data, value, sizeof(data));
  cl_mem buffer = load_clCreateBuffer(context, 0, sizeof(data), NULL, &error);
  OK(error);
  OK(load_clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
  OK(load_clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
  printf("%c\n", data[2047]);
  OK(load_clReleaseMemObject(buffer));
  OK(load_clReleaseCommandQueue(queue));
  OK(load_clReleaseContext(context));
  dlclose(library);
}

int main(void) {
  RoundTrip('d');
  RoundTrip('l');
}
