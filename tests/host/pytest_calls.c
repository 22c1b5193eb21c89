// OpenCL calls for the tests of the pytest plugin.
#include <CL/cl.h>

enum { kBytes = 4096 };
static char text[2 * kBytes];

static cl_context context;
static cl_command_queue queue;
static cl_mem buffer;

static int Begin(void) {
  cl_platform_id platform = NULL;
  cl_device_id device = NULL;
  if (context != NULL) return 0;
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
    return 1;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
  buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, kBytes, NULL, NULL);
  return buffer == NULL;
}

int fine(void) {
  return Begin() ||
         clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kBytes, text, 0, NULL, NULL) != CL_SUCCESS;
}

// Each number is a call site of its own, so that each finding is a new one.
void overrun(int number) {
  if (Begin() != 0) return;
  switch (number) {
    case 1:
      clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 2 * kBytes, text, 0, NULL, NULL);
      break;
    case 2:
      clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 1, 2 * kBytes, text, 0, NULL, NULL);
      break;
    case 3:
      clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 2, 2 * kBytes, text, 0, NULL, NULL);
      break;
    default:
      clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 3, 2 * kBytes, text, 0, NULL, NULL);
      break;
  }
}
