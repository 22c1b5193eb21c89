// A command buffer is enqueued when its recording has ended.
#include "common/opencl.h"

#include <CL/cl_ext.h>

#define LOAD(name) name##_fn load_##name = clGetExtensionFunctionAddressForPlatform(platform, #name)

int main(void) {
  Open(0);
  LOAD(clCreateCommandBufferKHR);
  LOAD(clCommandFillBufferKHR);
  LOAD(clFinalizeCommandBufferKHR);
  LOAD(clEnqueueCommandBufferKHR);
  LOAD(clReleaseCommandBufferKHR);
  const cl_int five = 5;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  OK(load_clCommandFillBufferKHR(recorded, NULL, buffer, &five, sizeof(five), 0, 4096, 0, NULL, NULL,
                                 NULL));
  OK(load_clFinalizeCommandBufferKHR(recorded));
  load_clEnqueueCommandBufferKHR(0, NULL, recorded, 0, NULL, NULL);
  OK(clFinish(queue));
  OK(load_clReleaseCommandBufferKHR(recorded));
  OK(clReleaseMemObject(buffer));
  Close();
}
