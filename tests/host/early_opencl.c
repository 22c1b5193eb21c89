// A shared file that is initialised before gpusan's library and finalised after main: it makes
// OpenCL objects in its constructor and releases them in its destructor. Every call must get
// through, and nothing is a leak.
#include <CL/cl.h>
#include <stdio.h>

static cl_context context;
static cl_mem buffer;
static cl_int code = 1;

__attribute__((constructor)) static void Begin(void) {
  cl_platform_id platform = NULL;
  cl_device_id device = NULL;
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS) return;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) return;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  if (context != NULL) buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 65536, NULL, &code);
}

__attribute__((destructor)) static void End(void) {
  if (buffer != NULL) printf("buffer %d\n", clReleaseMemObject(buffer));
  if (context != NULL) printf("context %d\n", clReleaseContext(context));
}

int EarlyCode(void) { return buffer != NULL ? code : -1; }
