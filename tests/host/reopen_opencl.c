// A plug-in that uses OpenCL: "linked" with the loader, or "opened" by itself.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
// The loader's functions, by either way.
// clang-format off
#define FUNCTIONS(X) \
  X(clGetPlatformIDs) \
  X(clGetDeviceIDs) \
  X(clCreateContext) \
  X(clCreateCommandQueueWithProperties) \
  X(clCreateBuffer) \
  X(clEnqueueFillBuffer) \
  X(clEnqueueReadBuffer) \
  X(clFinish) \
  X(clReleaseMemObject) \
  X(clReleaseCommandQueue) \
  X(clReleaseContext)
// clang-format on
static struct {
#define MEMBER(name) __typeof__(&name) name;
  FUNCTIONS(MEMBER)
} cl;
static void* api;

EXPORT void* plugin_api(void) { return api; }

static int Work(void) {
  cl_platform_id platforms[8];
  cl_uint count = 0;
  if (cl.clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS || count == 0) return -1;
  cl_device_id device = NULL;
  for (cl_uint i = 0; i < count && i < 8 && device == NULL; ++i)
    cl.clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  if (device == NULL) return -2;
  cl_int code;
  cl_context context = cl.clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  if (code != CL_SUCCESS) return -3;
  cl_command_queue queue = cl.clCreateCommandQueueWithProperties(context, device, NULL, &code);
  if (code != CL_SUCCESS) return -4;
  cl_mem buffer = cl.clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &code);
  if (code != CL_SUCCESS) return -5;
  const int pattern = 7;
  static int result[1024];
  memset(result, 0, sizeof(result));
  code = cl.clEnqueueFillBuffer(queue, buffer, &pattern, 4, 0, 4096, 0, NULL, NULL);
  if (code != CL_SUCCESS) return -6;
  code = cl.clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4096, result, 0, NULL, NULL);
  if (code != CL_SUCCESS) return -7;
  if (cl.clFinish(queue) != CL_SUCCESS) return -8;
  int sum = 0;
  for (int i = 0; i < 1024; ++i) sum += result[i];
  if (cl.clReleaseMemObject(buffer) != CL_SUCCESS) return -9;
  if (cl.clReleaseCommandQueue(queue) != CL_SUCCESS) return -10;
  if (cl.clReleaseContext(context) != CL_SUCCESS) return -11;
  return sum;
}

EXPORT int plugin_work(const char* kind) {
  void* library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return -20;
  api = dlsym(library, "clGetPlatformInfo");  // not watched: the loader's own function
  if (strcmp(kind, "opened") == 0) {
#define LOOK_UP(name) \
  if ((cl.name = (__typeof__(&name))dlsym(library, #name)) == NULL) return -21;
    FUNCTIONS(LOOK_UP)
    const int sum = Work();
    dlclose(library);
    return sum;
  }
#ifdef LINKED
#define TAKE(name) cl.name = &name;
  FUNCTIONS(TAKE)
#endif
  dlclose(library);
  return cl.clGetPlatformIDs != NULL ? Work() : -22;
}
