// Defect: A command buffer copies what its kernel writes, without a barrier between the two commands.
// Fix: A barrier is recorded between the kernel and the copy.
// EXPECT error race clEnqueueCommandBufferKHR at HERE
// EXPECT-PARTY pending-command at WRITTEN
// EXPECT-PARTY recorded at COPIED
// EXPECT-FACT hazard=RAW
#include "common/opencl_command_buffers.h"

static const char kSource[] =
    "kernel void twice(global const int* from, global int* to) {"
    "  to[get_global_id(0)] = 2 * from[get_global_id(0)];"
    "}";

int main(void) {
  OpenCommandBuffers(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  static int values[1024];
  const size_t global = 1024;
  const cl_mem_flags copied = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  cl_mem first = MADE(clCreateBuffer(context, copied, sizeof(values), values, &error));
  cl_mem second = MADE(clCreateBuffer(context, copied, sizeof(values), values, &error));
  cl_mem third = MADE(clCreateBuffer(context, copied, sizeof(values), values, &error));
  cl_kernel kernel = NewKernel(kSource, "twice");
  OK(clSetKernelArg(kernel, 0, sizeof(first), &first));
  OK(clSetKernelArg(kernel, 1, sizeof(second), &second));
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  // @WRITTEN
  OK(load_clCommandNDRangeKernelKHR(recorded, NULL, NULL, kernel, 1, NULL, &global, NULL, 0, NULL, NULL, NULL));
#ifndef DEFECT
  OK(load_clCommandBarrierWithWaitListKHR(recorded, NULL, NO_PROPERTIES 0, NULL, NULL, NULL));
#endif
  // @COPIED
  OK(load_clCommandCopyBufferKHR(recorded, NULL, NO_PROPERTIES second, third, 0, 0, sizeof(values), 0, NULL, NULL, NULL));
  OK(load_clFinalizeCommandBufferKHR(recorded));
  // @HERE
  OK(load_clEnqueueCommandBufferKHR(0, NULL, recorded, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(load_clReleaseCommandBufferKHR(recorded));
  CLOSE(kernel, third, second, first);
}
